// What a C program does with libcurl: one thread, the multi interface, easy handles that are set up once and used again.
//
// It takes the words that PeerArguments of the contestants in Swift reads, and prints the same line.

#include <curl/curl.h>
#include <fcntl.h>
#include <unistd.h>

#include "measure.h"

typedef struct {
    const char *mode;
    const char *url;
    const char *first;
    const char *authorities;
    struct curl_slist *fields;
    const char *body;
    const char *file;
    int width;
    double warmUp;
    double seconds;
    long requests;
    size_t bytes;
} Arguments;

typedef struct {
    CURL *easy;
    char *bytes;
    size_t count;
    size_t capacity;
    size_t sent;
    size_t toSend;
    int file;
    uint64_t begin;
} Transfer;

static int isMode(const Arguments *arguments, const char *mode) {
    return strcmp(arguments->mode, mode) == 0;
}

// As large as those of the contestant in Swift, so that neither wins by more memory.
#define RECEIVE_BUFFER_BYTES (512L * 1024)
#define SEND_BUFFER_BYTES (256L * 1024)

static void fail(const char *what) {
    fprintf(stderr, "LibcurlPeer: %s\n", what);
    exit(1);
}

static Arguments readArguments(int count, char **words) {
    Arguments arguments = {"small", NULL, NULL, "", NULL, NULL, "", 1, 0.5, 2, 0, 0};
    for (int i = 1; i < count; i++) {
        char *value = strchr(words[i], '=');
        if (!value) fail("an argument is not name=value");
        size_t length = (size_t)(value++ - words[i]);
#define IS(name) (strlen(name) == length && strncmp(words[i], name, length) == 0)
        if (IS("mode")) arguments.mode = value;
        else if (IS("url")) arguments.url = value;
        else if (IS("first")) arguments.first = value;
        else if (IS("ca")) arguments.authorities = value;
        else if (IS("field")) arguments.fields = curl_slist_append(arguments.fields, value);
        else if (IS("body")) arguments.body = value;
        else if (IS("file")) arguments.file = value;
        else if (IS("width")) arguments.width = atoi(value);
        else if (IS("warmup")) arguments.warmUp = atof(value);
        else if (IS("seconds")) arguments.seconds = atof(value);
        else if (IS("requests")) arguments.requests = atol(value);
        else if (IS("bytes")) arguments.bytes = (size_t)atol(value);
        else fail("an argument has an unknown name");
#undef IS
    }
    if (!arguments.url || arguments.width < 1) fail("url or width is missing");
    return arguments;
}

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

// The mode down: the bytes are counted, and not kept.
static size_t receiveAndCount(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    ((Transfer *)context)->count += size * count;
    return size * count;
}

// The mode file: the bytes go to a file beside the one that they will replace.
static size_t receiveToFile(char *bytes, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    size_t length = size * count;
    for (size_t written = 0; written < length;) {
        ssize_t step = write(transfer->file, bytes + written, length - written);
        if (step <= 0) fail("the file can't be written");
        written += (size_t)step;
    }
    transfer->count += length;
    return length;
}

static const char *draftName(const Arguments *arguments) {
    static char name[4096];
    snprintf(name, sizeof name, "%s.part", arguments->file);
    return name;
}

static void openFile(Transfer *transfer, const Arguments *arguments) {
    int isUpload = isMode(arguments, "upfile");
    const char *name = isUpload ? arguments->file : draftName(arguments);
    transfer->file = open(name, isUpload ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (transfer->file < 0) fail("the file can't be opened");
}

// A download is complete when its file is on the disk under its own name.
static void closeFile(Transfer *transfer, const Arguments *arguments) {
    if (isMode(arguments, "file") && fsync(transfer->file) != 0) fail("the file can't be synced");
    close(transfer->file);
    if (isMode(arguments, "file") && rename(draftName(arguments), arguments->file) != 0) fail("no rename");
}

static size_t sendFile(char *room, size_t size, size_t count, void *context) {
    ssize_t length = read(((Transfer *)context)->file, room, size * count);
    return length < 0 ? CURL_READFUNC_ABORT : (size_t)length;
}

static size_t sendPiece(char *room, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    size_t length = size * count;
    if (length > transfer->toSend - transfer->sent) length = transfer->toSend - transfer->sent;
    memset(room, 'x', length);
    transfer->sent += length;
    return length;
}

static void setUp(Transfer *transfer, const Arguments *arguments) {
    CURL *easy = curl_easy_init();
    if (!easy) fail("there is no memory");
    transfer->easy = easy;
    curl_easy_setopt(easy, CURLOPT_URL, arguments->url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    if (*arguments->authorities) curl_easy_setopt(easy, CURLOPT_CAINFO, arguments->authorities);
    if (arguments->fields) curl_easy_setopt(easy, CURLOPT_HTTPHEADER, arguments->fields);
    if (arguments->body) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)strlen(arguments->body));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, arguments->body);
    }
    if (isMode(arguments, "small")) {
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    } else if (isMode(arguments, "down")) {
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receiveAndCount);
        curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, RECEIVE_BUFFER_BYTES);
    } else if (isMode(arguments, "file")) {
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receiveToFile);
        curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, RECEIVE_BUFFER_BYTES);
    } else if (isMode(arguments, "up") || isMode(arguments, "upfile")) {
        transfer->toSend = arguments->bytes;
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)arguments->bytes);
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, isMode(arguments, "up") ? sendPiece : sendFile);
        curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, SEND_BUFFER_BYTES);
        // Without "Expect: 100-continue", for which the server would be waited for.
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, curl_slist_append(NULL, "Expect:"));
    } else if (isMode(arguments, "http2")) {
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    } else {
        fail("unknown mode");
    }
}

static void start(CURLM *multi, Transfer *transfer, const Arguments *arguments, uint64_t now) {
    if (*arguments->file) openFile(transfer, arguments);
    transfer->count = 0;
    transfer->sent = 0;
    transfer->begin = now;
    if (curl_multi_add_handle(multi, transfer->easy) != CURLM_OK) fail("a transfer can't be added");
}

// How many connections were made so far.
static long connects = 0;

static Transfer *finished(const CURLMsg *message, const Arguments *arguments) {
    Transfer *transfer = NULL;
    long status = 0;
    long made = 0;
    long version = 0;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
    curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(message->easy_handle, CURLINFO_NUM_CONNECTS, &made);
    connects += made;
    // An upload is answered with the number of bytes that came.
    size_t length = transfer->count;
    if (isMode(arguments, "up") || isMode(arguments, "upfile")) {
        char text[24] = "";
        memcpy(text, transfer->bytes, transfer->count < 23 ? transfer->count : 23);
        length = (size_t)strtoull(text, NULL, 10);
    }
    if (message->data.result != CURLE_OK || status != 200 || length != arguments->bytes) fail("a bad answer");
    if (*arguments->file) closeFile(transfer, arguments);
    if (isMode(arguments, "http2")) {
        curl_easy_getinfo(message->easy_handle, CURLINFO_HTTP_VERSION, &version);
        if (version != CURL_HTTP_VERSION_2_0 || connects > 1) fail("not HTTP/2 over one connection");
    }
    return transfer;
}

// Runs all transfers again and again until the time is over or their number is reached, then lets the last ones end.
static void run(
    CURLM *multi, Transfer *transfers, const Arguments *arguments, double seconds, Latencies *latencies) {
    uint64_t now = nanoseconds();
    uint64_t end = now + (uint64_t)(seconds * 1e9);
    long left = arguments->requests > 0 ? arguments->requests : -1;
    int running = 0;
    for (int i = 0; i < arguments->width && left != 0; i++, left -= left > 0) start(multi, &transfers[i], arguments, now);
    do {
        if (curl_multi_perform(multi, &running) != CURLM_OK) fail("perform failed");
        CURLMsg *message;
        int queued = 0;
        while ((message = curl_multi_info_read(multi, &queued))) {
            if (message->msg != CURLMSG_DONE) continue;
            Transfer *transfer = finished(message, arguments);
            now = nanoseconds();
            addLatency(latencies, now - transfer->begin);
            curl_multi_remove_handle(multi, transfer->easy);
            if (left > 0 || (left < 0 && now < end)) {
                start(multi, transfer, arguments, now);
                running++;
                left -= left > 0;
            }
        }
        if (running && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) fail("poll failed");
    } while (running);
}

int main(int count, char **words) {
    static Latencies warmUp, latencies;
    Arguments arguments = readArguments(count, words);
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 128L);
    Transfer *transfers = calloc((size_t)arguments.width, sizeof(Transfer));
    if (!multi || !transfers) fail("there is no memory");
    for (int i = 0; i < arguments.width; i++) setUp(&transfers[i], &arguments);
    if (arguments.first) {
        CURL *easy = curl_easy_duphandle(transfers[0].easy);
        curl_easy_setopt(easy, CURLOPT_URL, arguments.first);
        curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
        if (*arguments.file) openFile(&transfers[0], &arguments);
        if (curl_easy_perform(easy) != CURLE_OK) fail("the first request failed");
        curl_easy_cleanup(easy);
        if (*arguments.file) closeFile(&transfers[0], &arguments);
    } else if (arguments.requests == 0) run(multi, transfers, &arguments, arguments.warmUp, &warmUp);
    long memory = beginPeak();
    long switches = contextSwitches();
    double cpu = cpuMicroseconds();
    uint64_t begin = nanoseconds();
    run(multi, transfers, &arguments, arguments.seconds, &latencies);
    double seconds = (double)(nanoseconds() - begin) / 1e9;
    double used = cpuMicroseconds() - cpu;
    switches = contextSwitches() - switches;
    printf("requests=%ld seconds=%f cpu=%f switches=%ld p50=%f p99=%f memory=%ld\n", latencies.total, seconds, used,
        switches, latencyBelow(&latencies, 0.5), latencyBelow(&latencies, 0.99), peakBytes() - memory);
    return 0;
}
