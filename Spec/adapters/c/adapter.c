/* Protocol 1 of the conformance checker: a JSON object a line on the standard input, one a line on the standard output.
   Objects are flat and every value is a string. All else is in the operations. */
#define _POSIX_C_SOURCE 200809L
#include "operations.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

static const struct operation *const levels[] = {
    codec_operations, leaf_operations, sketch_operations, seal_operations, relay_operations, merge_operations};
enum { level_count = sizeof levels / sizeof *levels };

static const struct operation *find_operation(struct slice name) {
    for (size_t level = 0; level < level_count; level++)
        for (const struct operation *each = levels[level]; each->name; each++)
            if (slice_equal(slice_from_text(each->name), name)) return each;
    return NULL;
}

static void skip_space(struct slice *text) {
    while (text->size && (text->bytes[0] == ' ' || text->bytes[0] == '\t' || text->bytes[0] == '\r' || text->bytes[0] == '\n'))
        *text = (struct slice){text->bytes + 1, text->size - 1};
}

/* Takes one character if it is there, and the space before it. */
static bool take(struct slice *text, char wanted) {
    skip_space(text);
    if (!text->size || text->bytes[0] != (uint8_t)wanted) return false;
    *text = (struct slice){text->bytes + 1, text->size - 1};
    return true;
}

/* A string as it stands between its quotes. Names and values of this protocol are never spelt with escapes; one that is
   stays as it is, so it is no name and no value that an operation knows. */
static bool take_string(struct slice *text, struct slice *string) {
    if (!take(text, '"')) return false;
    size_t size = 0;
    while (size < text->size && text->bytes[size] != '"') size += text->bytes[size] == '\\' ? 2 : 1;
    if (size >= text->size) return false;
    *string = (struct slice){text->bytes, size};
    *text = (struct slice){text->bytes + size + 1, text->size - size - 1};
    return true;
}

static int compare_names(const void *a, const void *b) {
    return slice_compare(((const struct field *)a)->name, ((const struct field *)b)->name);
}

/* Every field has a colon, so their number bounds the fields. */
static bool parse_object(struct request *request, struct slice line) {
    size_t most = 0;
    for (size_t i = 0; i < line.size; i++) most += line.bytes[i] == ':';
    request->fields = task_allocate(request->task, most, sizeof *request->fields);
    if (failed(request->task) || !take(&line, '{')) return false;
    if (!take(&line, '}')) {
        do {
            struct field field;
            if (!take_string(&line, &field.name) || !take(&line, ':') || !take_string(&line, &field.value)) return false;
            request->fields[request->count++] = field;
        } while (take(&line, ','));
        if (!take(&line, '}')) return false;
    }
    skip_space(&line);
    qsort(request->fields, request->count, sizeof *request->fields, compare_names);
    return line.size == 0;
}

static void say_hello(struct reply *reply) {
    reply_text(reply, "protocol", "1");
    reply_text(reply, "name", "cenotaph-c");
    reply_text(reply, "version", "1.0-draft.1");
    reply_text(reply, "language", "c");
    struct writer names = writer_begin(reply->task);
    for (size_t level = 0; level < level_count; level++)
        for (const struct operation *each = levels[level]; each->name; each++) {
            if (names.size) write_text(&names, " ");
            write_text(&names, each->name);
        }
    reply_raw(reply, "ops", written(&names));
    reply_text(reply, "features", "seal.nonce");
}

static void print_raw(struct slice text) {
    fwrite(text.bytes, 1, text.size, stdout);
}

/* Prints the one line of the answer: its id, then `verdict`, whose value is an object or a string. */
static void print_answer(struct slice id, const char *verdict, struct slice value, bool is_object) {
    printf("{\"id\":\"");
    print_raw(id);
    printf("\",\"%s\":%s", verdict, is_object ? "{" : "\"");
    print_raw(value);
    printf("%s}\n", is_object ? "}" : "\"");
    fflush(stdout);
}

static void answer(struct slice line) {
    struct task task;
    task_begin(&task);
    struct request request = {&task, 0, NULL};
    struct reply reply = {&task, writer_begin(&task)};
    if (!parse_object(&request, line)) {
        print_answer(slice_from_text(""), "error", slice_from_text("the line is not a flat JSON object of strings"), false);
        task_end(&task);
        return;
    }
    struct slice id = has_field(&request, "id") ? field_text(&request, "id") : slice_from_text("");
    struct slice name = field_text(&request, "op");
    const struct operation *operation = find_operation(name);
    bool is_hello = slice_equal(name, slice_from_text("hello"));
    if (is_hello) say_hello(&reply);
    else if (operation) operation->run(&request, &reply);

    if (task.fault.class == error_internal) print_answer(id, "error", slice_from_text(task.fault.rule), false);
    else if (failed(&task)) print_answer(id, "reject", slice_from_text(error_class_name(task.fault.class)), false);
    else if (is_hello || operation) print_answer(id, "ok", written(&reply.out), true);
    else print_answer(id, "unsupported", slice_from_text("unknown operation"), false);
    task_end(&task);
}

/* A line is read up to `largest_line` bytes, which is room for three contents of `max_row_content`; the rest of a longer
   one is dropped, so that it is no object any more. */
static const size_t largest_line = (size_t)1 << 27;

int main(void) {
    uint8_t *line = malloc(largest_line);
    size_t size = 0;
    if (!line || sodium_init() < 0) return 1;
    for (int byte; (byte = getc_unlocked(stdin)) != EOF;) {
        if (byte != '\n') {
            if (size < largest_line) line[size++] = (uint8_t)byte;
            continue;
        }
        answer((struct slice){line, size});
        size = 0;
    }
    free(line);
    return 0;
}
