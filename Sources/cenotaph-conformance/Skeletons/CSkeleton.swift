extension Skeleton {
    /// An adapter in C.
    static let c = Skeleton(
        name: "c",
        build: "cc -std=c11 -O2 -Wall -Wextra -D_POSIX_C_SOURCE=200809L adapter.c -o adapter",
        command: "./adapter",
        files: [
            (
                "adapter.c",
                ##"""
                /* An adapter for Cenotaph's conformance checker: requests in, answers out, one JSON object a line.
                 * It needs no library: requests are flat objects of strings, which parse() reads in place. */
                #include <inttypes.h>
                #include <stdbool.h>
                #include <stdint.h>
                #include <stdio.h>
                #include <stdlib.h>
                #include <string.h>

                enum { max_fields = 8192 };

                typedef struct {
                    char *name[max_fields], *value[max_fields];
                    size_t count;
                } fields;

                static const char *field(const fields *in, const char *name) {
                    for (size_t i = 0; i < in->count; i++)
                        if (strcmp(in->name[i], name) == 0) return in->value[i];
                    return NULL;
                }

                /* What an operation prints is one of these. */
                static void reject(const char *name) { printf("\"reject\":\"%s\"", name); }
                static void error(const char *text) { printf("\"error\":\"%s\"", text); }

                static int digit(char c) {
                    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
                }

                /* Turns lower-case hexadecimal into bytes; the caller frees them. NULL if it is none. */
                static uint8_t *bytes(const char *text, size_t *size) {
                    size_t length = text ? strlen(text) : 1;
                    if (length % 2 != 0) return NULL;
                    uint8_t *data = malloc(length / 2 + 1);
                    if (!data) abort();
                    for (size_t i = 0; i < length; i += 2) {
                        int high = digit(text[i]), low = digit(text[i + 1]);
                        if (high < 0 || low < 0) {
                            free(data);
                            return NULL;
                        }
                        data[i / 2] = (uint8_t)(high << 4 | low);
                    }
                    *size = length / 2;
                    return data;
                }

                /* Spec/02-primitives.md: seven bits a byte, least significant first, at most 64 bits, no zero byte at the end. */
                static void read_uvarint(const uint8_t *data, size_t size) {
                    uint64_t value = 0;
                    for (size_t i = 0; i < size; i++) {
                        if (i == 9 && data[i] > 1) {
                            reject("range");
                            return;
                        }
                        value |= (uint64_t)(data[i] & 0x7f) << 7 * i;
                        if (data[i] >= 0x80) continue;
                        if (data[i] == 0 && i > 0) reject("noncanonical");
                        else if (i + 1 < size) reject("trailing");
                        else printf("\"ok\":{\"value\":\"%" PRIu64 "\"}", value);
                        return;
                    }
                    reject("truncated");
                }

                static void uvarint_decode(const fields *in) {
                    size_t size = 0;
                    uint8_t *data = bytes(field(in, "bytes"), &size);
                    if (!data) {
                        error("bytes is not lower-case hexadecimal");
                        return;
                    }
                    read_uvarint(data, size);
                    free(data);
                }

                static void hello(const fields *in);

                static const struct {
                    const char *name;
                    void (*run)(const fields *in);
                } ops[] = {{"hello", hello}, {"uvarint.decode", uvarint_decode}};
                enum { op_count = sizeof ops / sizeof *ops };

                static void hello(const fields *in) {
                    (void)in;
                    printf("\"ok\":{\"protocol\":\"1\",\"name\":\"skeleton\",\"version\":\"0.1\",\"language\":\"c\",\"features\":\"\",\"ops\":\"");
                    for (size_t i = 1; i < op_count; i++) printf("%s%s", i > 1 ? " " : "", ops[i].name);
                    printf("\"}");
                }

                /* Reads a string in place, from behind its first quote; returns what follows it. Bytes above 127 in \u are not needed. */
                static char *string(char *at, char **text) {
                    char *to = at;
                    *text = at;
                    for (; *at && *at != '"'; at++) {
                        if (*at != '\\') {
                            *to++ = *at;
                            continue;
                        }
                        at++;
                        if (*at == 'u') {
                            char code[5] = {0};
                            for (int i = 0; i < 4 && at[1]; i++) code[i] = *++at;
                            *to++ = (char)strtol(code, NULL, 16);
                        } else if (*at) {
                            *to++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'r' ? '\r' : *at;
                        } else {
                            return NULL;
                        }
                    }
                    if (!*at) return NULL;
                    *to = 0;
                    return at + 1;
                }

                static bool parse(char *line, fields *out) {
                    out->count = 0;
                    for (char *at = line; (at = strchr(at, '"')); out->count++) {
                        if (out->count == max_fields) return false;
                        at = string(at + 1, &out->name[out->count]);
                        if (!at || !(at = strchr(at, '"'))) return false;
                        at = string(at + 1, &out->value[out->count]);
                        if (!at) return false;
                    }
                    return true;
                }

                int main(void) {
                    static fields in;
                    char *line = NULL;
                    size_t room = 0;
                    while (getline(&line, &room, stdin) > 0) {
                        if (!parse(line, &in)) return 1;
                        const char *op = field(&in, "op"), *id = field(&in, "id");
                        size_t found = 0;
                        while (found < op_count && strcmp(ops[found].name, op ? op : "") != 0) found++;
                        printf("{\"id\":\"%s\",", id ? id : "");
                        if (found < op_count) ops[found].run(&in);
                        else printf("\"unsupported\":\"no such operation\"");
                        printf("}\n");
                        fflush(stdout);
                    }
                    free(line);
                    return 0;
                }

                """##
            )
        ])
}
