// What a C program does with libcurl: one thread, the multi interface, easy handles that are set up once and used again.
//
// Arguments: URL, transfers at once, seconds of warm-up, seconds to measure, length of the body.
// Prints: requests, seconds, CPU microseconds of the measured time.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct {
    CURL *easy;
    char *bytes;
    size_t count;
    size_t capacity;
} Transfer;

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    size_t length = size * count;
    if (transfer->count + length > transfer->capacity) {
        size_t capacity = transfer->count + length + 4096;
        char *larger = realloc(transfer->bytes, capacity);
        if (!larger) return 0;
        transfer->bytes = larger;
        transfer->capacity = capacity;
    }
    memcpy(transfer->bytes + transfer->count, bytes, length);
    transfer->count += length;
    return length;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpuMicroseconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void fail(const char *what) {
    fprintf(stderr, "LibcurlPeer: %s\n", what);
    exit(1);
}

static void start(CURLM *multi, Transfer *transfer) {
    transfer->count = 0;
    if (curl_multi_add_handle(multi, transfer->easy) != CURLM_OK) fail("a transfer can't be added");
}

// Runs all transfers again and again for some time, then lets the last ones end.
static long run(CURLM *multi, Transfer *transfers, int width, double seconds, size_t length) {
    double end = now() + seconds;
    long done = 0;
    int running = 0;
    for (int i = 0; i < width; i++) start(multi, &transfers[i]);
    do {
        if (curl_multi_perform(multi, &running) != CURLM_OK) fail("perform failed");
        CURLMsg *message;
        int left = 0;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            Transfer *transfer = NULL;
            long status = 0;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
            curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status != 200 || transfer->count != length) fail("a bad answer");
            done++;
            curl_multi_remove_handle(multi, transfer->easy);
            if (now() < end) {
                start(multi, transfer);
                running++;
            }
        }
        if (running && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) fail("poll failed");
    } while (running);
    return done;
}

int main(int count, char **arguments) {
    if (count != 6) fail("expected URL, width, warm-up, seconds and length");
    int width = atoi(arguments[2]);
    size_t length = (size_t)atol(arguments[5]);
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 128L);
    Transfer *transfers = calloc((size_t)width, sizeof(Transfer));
    for (int i = 0; i < width; i++) {
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, arguments[1]);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfers[i]);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfers[i]);
        transfers[i].easy = easy;
    }
    run(multi, transfers, width, atof(arguments[3]), length);
    double cpu = cpuMicroseconds();
    double begin = now();
    long requests = run(multi, transfers, width, atof(arguments[4]), length);
    printf("%ld %f %f\n", requests, now() - begin, cpuMicroseconds() - cpu);
    return 0;
}
