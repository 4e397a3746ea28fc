#ifndef CEDIT_SHIM_H
#define CEDIT_SHIM_H

#include <histedit.h>
#include <stdio.h>

/* The version that was tested. Debian 12 has 2.11 (libedit2 3.1-20221030). */
#if LIBEDIT_MAJOR < 2 || (LIBEDIT_MAJOR == 2 && LIBEDIT_MINOR < 11)
#error "libedit 3.1 or later is needed: install libedit-dev of Debian 12 or later"
#endif

/* el_set, el_get and history are variadic, which Swift does not import, and stdin is a variable,
 * which it does not let one touch. One wrapper per use, to be removed when Swift imports such
 * functions. */

/* `terminal` is where it sets modes and asks for the size. It reads from no stream: its user gives
 * it each character (cedit_set_read). */
static inline EditLine *cedit_init(const char *program, FILE *output, int terminal) {
  return el_init_fd(program, stdin, output, output, terminal, terminal, terminal);
}

/* -1 if the system has no description of such a terminal. */
static inline int cedit_set_terminal(EditLine *edit, const char *name) {
  return el_set(edit, EL_TERMINAL, name);
}

static inline void cedit_set_emacs_keys(EditLine *edit) { el_set(edit, EL_EDITOR, "emacs"); }

static inline void cedit_set_prompt(EditLine *edit, char *(*prompt)(EditLine *)) {
  el_set(edit, EL_PROMPT, prompt);
}

/* The function returns 1, or -1 to end the line. */
static inline void cedit_set_read(EditLine *edit, el_rfunc_t read) {
  el_set(edit, EL_GETCFN, read);
}

static inline void cedit_set_user(EditLine *edit, void *user) {
  el_set(edit, EL_CLIENTDATA, user);
}

static inline void *cedit_user(EditLine *edit) {
  void *user = 0;
  return el_get(edit, EL_CLIENTDATA, &user) == 0 ? user : 0;
}

/* Makes a function of ours one that a key can be bound to. */
static inline void cedit_add_function(
    EditLine *edit, const char *name, const char *help,
    unsigned char (*function)(EditLine *, int)) {
  el_set(edit, EL_ADDFN, name, help, function);
}

static inline void cedit_bind(EditLine *edit, const char *key, const char *function) {
  el_set(edit, EL_BIND, key, function, (char *)0);
}

/* Draws the line on a fresh row. */
static inline void cedit_refresh(EditLine *edit) { el_set(edit, EL_REFRESH, (void *)0); }

/* Whether it edits at all. */
static inline int cedit_is_editing(EditLine *edit) {
  int is_editing = 0;
  return el_get(edit, EL_EDITMODE, &is_editing) == 0 && is_editing;
}

static inline void cedit_set_history(EditLine *edit, History *lines, int size) {
  HistEvent event;
  history(lines, &event, H_SETSIZE, size);
  history(lines, &event, H_SETUNIQUE, 1);
  el_set(edit, EL_HIST, history, lines);
}

static inline void cedit_enter(History *lines, const char *line) {
  HistEvent event;
  history(lines, &event, H_ENTER, line);
}

#endif
