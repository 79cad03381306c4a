// What is measured, and how: the same as PeerSupport does for the contestants in Swift.

#ifndef HIKYAKU_BENCHMARKS_MEASURE_H
#define HIKYAKU_BENCHMARKS_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define LATENCY_BITS 7
#define LATENCY_BUCKETS ((65 - LATENCY_BITS) << LATENCY_BITS)

// How long requests took, in buckets whose width is below one percent of their value.
typedef struct {
    uint32_t counts[LATENCY_BUCKETS];
    long total;
} Latencies;

static inline void addLatency(Latencies *latencies, uint64_t nanoseconds) {
    int octave = 63 - __builtin_clzll(nanoseconds | 1) - LATENCY_BITS;
    if (octave < 0) octave = 0;
    latencies->counts[((size_t)octave << LATENCY_BITS) + (nanoseconds >> octave)]++;
    latencies->total++;
}

static inline double latencyBelow(const Latencies *latencies, double share) {
    double rank = (double)latencies->total * share;
    double seen = 0;
    for (size_t i = 0; i < LATENCY_BUCKETS && latencies->total > 0; i++) {
        seen += latencies->counts[i];
        if (latencies->counts[i] == 0 || seen < rank) continue;
        size_t octave = i >> LATENCY_BITS > 0 ? (i >> LATENCY_BITS) - 1 : 0;
        return (double)((uint64_t)(i - (octave << LATENCY_BITS)) << octave) / 1000;
    }
    return 0;
}

static inline uint64_t nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline double cpuMicroseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static inline long contextSwitches(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static inline long peakBytes(void) {
#ifdef __linux__
    FILE *file = fopen("/proc/self/status", "r");
    long kilobytes = 0;
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = atol(line + 6);
    }
    if (file) fclose(file);
    return kilobytes * 1024;
#else
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
#endif
}

// Forgets the peak so far, and gives what is in use now.
static inline long beginPeak(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return peakBytes();
}

#endif
