// XiangShan's table LifeTimeCommitTrace, of SQLite: written by its gem5 (--enable-arch-db) and by its RTL's simulator
// (--dump-db). A row an instruction that committed, a column a stage; columns are found by their names.
//
// What was squashed is no row: an empty ROB is Drained, whatever emptied it, and nothing is known of what was fetched
// or dispatched beside. gem5 stores a PC without its highest four bits: they are those below, bit 59's.
#include "import/formats.h"
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <strings.h>

enum { PC_BITS = 60 };
enum column {
    COLUMN_NUMBER,
    COLUMN_PC,
    COLUMN_FETCH,
    COLUMN_DISPATCH,
    COLUMN_COMMIT,
    COLUMN_TEXT,
    COLUMN_THREAD,
    COLUMNS
};

struct table {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *rows;
    int column[COLUMNS];
    struct error *err;
};

static int failed(struct table *t) {
    error_set(t->err, "%s: %s: is it an unpacked SQLite file with a table LifeTimeCommitTrace?", t->path,
              sqlite3_errmsg(t->db));
    return -EBADMSG;
}

static int find(struct table *t, const char *name) {
    for (int i = 0; i < sqlite3_column_count(t->rows); i++)
        if (strcasecmp(sqlite3_column_name(t->rows, i), name) == 0) return i;
    return -1;
}

static int find_columns(struct table *t, const char *dispatch) {
    const char *const names[COLUMNS] = {"ID",       "PC",     "AtFetch", dispatch ? dispatch : "AtDispQue",
                                        "AtCommit", "DisAsm", "TID"};
    for (unsigned c = 0; c < COLUMNS; c++) {
        t->column[c] = find(t, names[c]);
        if (t->column[c] >= 0 || c == COLUMN_NUMBER || c >= COLUMN_TEXT) continue;
        error_set(t->err, "%s: table LifeTimeCommitTrace has no column %s%s", t->path, names[c],
                  c == COLUMN_DISPATCH ? ": --dispatch names the one in which an instruction enters the ROB" : "");
        return -EINVAL;
    }
    return 0;
}

static uint64_t tick(const struct table *t, enum column c) {
    const sqlite3_int64 value = sqlite3_column_int64(t->rows, t->column[c]);
    return value > 0 ? (uint64_t)value : IMPORT_NEVER;
}

// The RTL has the instruction's word there, a number.
static const char *text(const struct table *t) {
    const int column = t->column[COLUMN_TEXT];
    return column >= 0 && sqlite3_column_type(t->rows, column) == SQLITE_TEXT
               ? (const char *)sqlite3_column_text(t->rows, column)
               : NULL;
}

static uint64_t whole_pc(uint64_t pc) {
    return pc >> PC_BITS ? pc : (uint64_t)((int64_t)(pc << (64 - PC_BITS)) >> (64 - PC_BITS));
}

static int read_rows(struct table *t, import_take *take, void *context) {
    uint64_t number = 0;
    sqlite3_int64 thread = 0;
    int code;
    while ((code = sqlite3_step(t->rows)) == SQLITE_ROW) {
        const struct import_life life = {.number = ++number,
                                         .pc = whole_pc((uint64_t)sqlite3_column_int64(t->rows, t->column[COLUMN_PC])),
                                         .fetched = tick(t, COLUMN_FETCH),
                                         .dispatched = tick(t, COLUMN_DISPATCH),
                                         .done = IMPORT_NEVER,
                                         .left = tick(t, COLUMN_COMMIT),
                                         .retired = true,
                                         .text = text(t),
                                         .control = true};
        if (life.left == IMPORT_NEVER) {
            error_set(t->err, "%s: row %llu of LifeTimeCommitTrace has no AtCommit", t->path,
                      (unsigned long long)number);
            return -EBADMSG;
        }
        const sqlite3_int64 of =
            t->column[COLUMN_THREAD] < 0 ? 0 : sqlite3_column_int64(t->rows, t->column[COLUMN_THREAD]);
        if (number > 1 && of != thread) {
            error_set(t->err,
                      "%s: row %llu of LifeTimeCommitTrace belongs to a second thread (TID): write a file for each",
                      t->path, (unsigned long long)number);
            return -EBADMSG;
        }
        thread = of;
        if (!take(context, &life, t->err)) return -ECANCELED;
    }
    return code == SQLITE_DONE ? 0 : failed(t);
}

static int read_lives(struct lines *lines, const char *dispatch, import_take *take, void *context, struct error *err) {
    struct table t = {.path = lines_path(lines), .err = err};
    int rc = sqlite3_open_v2(t.path, &t.db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK ? 0 : failed(&t);
    // In the order in which they committed, which is that of the program.
    if (!rc && sqlite3_prepare_v2(t.db, "SELECT * FROM LifeTimeCommitTrace ORDER BY AtCommit, rowid", -1, &t.rows,
                                  NULL) != SQLITE_OK)
        rc = failed(&t);
    if (!rc) rc = find_columns(&t, dispatch);
    if (!rc) rc = read_rows(&t, take, context);
    sqlite3_finalize(t.rows);
    sqlite3_close(t.db);
    return rc;
}

const struct import_format import_lifetimes = {.name = "lifetimes",
                                               .text = "XiangShan's gem5 and RTL: table LifeTimeCommitTrace of SQLite",
                                               .shows = IMPORT_DRAINED,
                                               .begins = "SQLite format 3",
                                               .read = read_lives};
