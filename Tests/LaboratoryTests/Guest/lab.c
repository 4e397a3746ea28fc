// What scripts of the guest cannot do, or not fast enough in virtual time.
//
//   lab feed TRACE LINK   a receiver on a new pseudo-terminal, named LINK: says a trace at the
//                         times in its RMC sentences, from now on, and ends
//   lab walk LINK SPEED   a receiver that walks north from now on, SPEED times as fast
//   lab pair A B          a line: two pseudo-terminals, named A and B, that are connected
//   lab relay A B         connects two terminals until one of them goes
//   lab watch FILE        prints milliseconds and content when a file's content changes; to 5 ms
//   lab serve SOCKET WORD…  what systemd does for a socket: runs a program for who connects, with
//                         the socket as descriptor 3, and again when it has ended
//   lab halt              switches the machine off
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int open_raw(const char *path) {
  struct termios settings;
  int terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || tcgetattr(terminal, &settings)) fail(path);
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  if (tcsetattr(terminal, TCSANOW, &settings)) fail(path);
  return terminal;
}

// A new pseudo-terminal; programs open the other end by the link.
static int open_line(const char *link) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) fail("pseudo-terminal");
  // Held open, so that programs may come later and again.
  open_raw(ptsname(terminal));
  if (symlink(ptsname(terminal), link)) fail(link);
  return terminal;
}

static void sleep_until(struct timespec due) {
  while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &due, NULL) == EINTR) {}
}

// A wire loses what nobody takes; its terminal does not block.
static void say(int terminal, const char *text) {
  if (write(terminal, text, strlen(text)) < 0 && errno != EAGAIN) fail("write");
}

// The time of $GPRMC,080048.00,A,…,ddmmyy,…; 0 for any other line.
static time_t time_of(const char *line) {
  const char *field = line + 7;
  struct tm parts = {0};
  int date, clock;
  if (line[0] != '$' || strncmp(line + 3, "RMC,", 4)) return 0;
  clock = atoi(field);
  for (int comma = 0; comma < 8 && field; comma++)
    if ((field = strchr(field, ','))) field++;
  if (!field || !(date = atoi(field))) return 0;
  parts.tm_hour = clock / 10000, parts.tm_min = clock / 100 % 100, parts.tm_sec = clock % 100;
  parts.tm_mday = date / 10000, parts.tm_mon = date / 100 % 100 - 1;
  parts.tm_year = date % 100 + 100;
  return timegm(&parts);
}

static void feed(const char *trace, const char *link) {
  FILE *file = fopen(trace, "re");
  int terminal = open_line(link);
  char line[1024], second[8192] = "";
  struct timespec due = {0, 0}, start;
  time_t next;
  if (!file) fail(trace);
  // time(2) would ask the host (vsyscall).
  clock_gettime(CLOCK_REALTIME, &start);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  while (fgets(line, sizeof line, file)) {
    if ((next = time_of(line)) || strlen(second) + strlen(line) >= sizeof second) {
      if (due.tv_sec >= start.tv_sec) {
        sleep_until(due);
        say(terminal, second);
      }
      second[0] = 0;
      if (next) due.tv_sec = next;
    }
    if (line[0] != '#') strcat(second, line);
  }
  sleep_until(due);
  say(terminal, second);
}

static void say_sentence(int terminal, const char *text) {
  char sentence[128];
  unsigned char sum = 0;
  for (const char *byte = text; *byte; byte++) sum ^= (unsigned char)*byte;
  snprintf(sentence, sizeof sentence, "$%s*%02X\r\n", text, sum);
  say(terminal, sentence);
}

static void walk(const char *link, int speed) {
  int terminal = open_line(link);
  struct timespec start, due;
  clock_gettime(CLOCK_REALTIME, &start);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  for (long second = 0;; second++) {
    time_t date = start.tv_sec + second;
    struct tm parts = *gmtime(&date);
    char place[48], text[112];
    // 1.4 m/s.
    snprintf(place, sizeof place, "42%08.5f,N,00229.34000,E", 10 + second % 60000 * 0.000756);
    strftime(text, sizeof text, "GPRMC,%H%M%S.00,A,", &parts);
    strcat(text, place);
    strftime(text + strlen(text), 32, ",2.72,0.0,%d%m%y,,,A", &parts);
    say_sentence(terminal, text);
    strftime(text, sizeof text, "GPGGA,%H%M%S.00,", &parts);
    strcat(strcat(text, place), ",1,08,1.0,443.0,M,49.5,M,,");
    say_sentence(terminal, text);
    long milliseconds = (second + 1) * 1000 / speed;
    due.tv_sec = start.tv_sec + milliseconds / 1000;
    due.tv_nsec = start.tv_nsec + milliseconds % 1000 * 1000000;
    if (due.tv_nsec >= 1000000000) due.tv_sec++, due.tv_nsec -= 1000000000;
    sleep_until(due);
  }
}

static void relay(int first, int second) {
  struct pollfd ends[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  char bytes[4096];
  while (poll(ends, 2, -1) > 0)
    for (int from = 0; from < 2; from++) {
      if (!ends[from].revents) continue;
      ssize_t count = read(ends[from].fd, bytes, sizeof bytes), now;
      if (count <= 0) return;
      for (ssize_t sent = 0; sent < count; sent += now)
        if ((now = write(ends[!from].fd, bytes + sent, count - sent)) <= 0) return;
    }
}

static void watch(const char *path) {
  char before[64] = "", now[64];
  struct timespec time, pause = {0, 5000000};
  for (;; nanosleep(&pause, NULL)) {
    int file = open(path, O_RDONLY);
    ssize_t count = file < 0 ? -1 : read(file, now, sizeof now - 1);
    if (file >= 0) close(file);
    now[count < 0 ? 0 : count] = 0;
    if (!strcmp(before, now)) continue;
    strcpy(before, now);
    clock_gettime(CLOCK_MONOTONIC, &time);
    printf("%ld %s", time.tv_sec * 1000L + time.tv_nsec / 1000000, now);
    fflush(stdout);
  }
}

static void serve(const char *path, char **program) {
  struct sockaddr_un address = {AF_UNIX, ""};
  int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct pollfd arrival = {socket_, POLLIN, 0};
  char own[16];
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (bind(socket_, (struct sockaddr *)&address, sizeof address) || listen(socket_, 4)) fail(path);
  chmod(path, 0666);
  while (poll(&arrival, 1, -1) > 0) {
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child) {
      waitpid(child, NULL, 0);
      continue;
    }
    snprintf(own, sizeof own, "%d", getpid());
    setenv("LISTEN_PID", own, 1);
    setenv("LISTEN_FDS", "1", 1);
    if (socket_ == 3) fcntl(3, F_SETFD, 0);
    else dup2(socket_, 3);
    execvp(program[0], program);
    fail(program[0]);
  }
}

int main(int count, char **words) {
  const char *command = count > 1 ? words[1] : "";
  if (count == 4 && !strcmp(command, "feed")) feed(words[2], words[3]);
  else if (count == 4 && !strcmp(command, "walk")) walk(words[2], atoi(words[3]));
  else if (count == 4 && !strcmp(command, "pair")) relay(open_line(words[2]), open_line(words[3]));
  else if (count == 4 && !strcmp(command, "relay")) relay(open_raw(words[2]), open_raw(words[3]));
  else if (count == 3 && !strcmp(command, "watch")) watch(words[2]);
  else if (count > 3 && !strcmp(command, "serve")) serve(words[2], words + 3);
  else if (count == 2 && !strcmp(command, "halt")) sync(), reboot(RB_POWER_OFF);
  else return 2;
  return 0;
}
