// The machine's time in tests, in place of boards/firmware/clock.c: a file says when how many bytes
// come over which line, and the firmware waits until it has them. So a day takes as long as its
// arithmetic, and each run of it is the same.
//
// An entry of the file `pace` is the time (8 bytes, little-endian milliseconds), the port (4) and
// the number of bytes (4); with the port 3 that is what the battery's converter shows from then on,
// with the port 4 whether the button is pressed. At the end of the file the run ends.
//
// A modem answers what it is told, and does something by itself at times that it knows beforehand.
// It lives in another program, which hears of each byte and of its key at the machine's time, over
// two pipes, and says what it has said and when it will do something unless it is told something
// before. The machine asks it before it sleeps, and at that time; so neither runs ahead of the
// other.
#include "machine.h"
#include "semihosting.h"

typedef struct {
  int64_t at;
  int32_t port, count;
} Entry;

// What the modem is asked, if there is one: the time, the bytes that were sent to it since the
// start, and whether its key is pressed.
typedef struct {
  int64_t at;
  uint32_t sent;
  int32_t key;
} Question;

// When it does something by itself, and how many bytes it has sent.
typedef struct {
  int64_t next;
  int32_t count, unused;
} Answer;

static int64_t now;
static Entry next;
static int32_t questions = -1, answers = -1;
// When the power key is let go.
static int64_t pulse_end = INT64_MAX;
static Question question = {.at = 0}, asked = {.at = -1};
static int64_t modem_next = INT64_MAX;
static int32_t file = -1;
static int32_t allowed[PORTS], battery = -1, button;
enum { BATTERY = PORTS, BUTTON };

__attribute__((noreturn)) static void finish(void) {
  uint32_t depth = stack_depth();
  char text[] = "stack 00000\r\n";
  for (char *digit = text + 10; depth > 0; depth /= 10) *digit-- = (char)('0' + depth % 10);
  uart_send(0, (const uint8_t *)text, sizeof text - 1);
  end(ADP_Stopped_ApplicationExit);
}

static void read_entry(void) {
  if (read_file(file, &next, sizeof next) != sizeof next) finish();
}

static void take_entry(void) {
  if (next.port == BATTERY) {
    battery = next.count;
  } else if (next.port == BUTTON) {
    button = next.count;
  } else {
    allowed[next.port] += next.count;
  }
  read_entry();
}

static void ask_modem(void) {
  question.at = now;
  Answer answer;
  write_file(questions, &question, sizeof question);
  if (read_file(answers, &answer, sizeof answer) != sizeof answer) finish();
  asked = question;
  modem_next = answer.next;
  allowed[2] += answer.count;
}

void clock_begin(void) {
  paint_stack();
  file = open_file("pace", 4, FOR_READING);
  questions = open_file("questions", 9, FOR_BOTH);
  if (questions >= 0) answers = open_file("answers", 7, FOR_BOTH);
  read_entry();
  // The UARTs are set up: from here on they lose nothing.
  open_file("begun", 5, FOR_WRITING);
}

void second_interrupt(void) {}

int64_t machine_now(void) { return now; }

static void end_pulse(void) {
  if (now < pulse_end) return;
  pulse_end = INT64_MAX;
  pins_power_key(0);
  question.key = 0;
}

void machine_sleep(int64_t until) {
  end_pulse();
  if (until > pulse_end) until = pulse_end;
  if (questions >= 0) {
    int isTold = question.sent != asked.sent || question.key != asked.key || asked.at < 0;
    if (!isTold && modem_next <= until && modem_next < next.at) {
      if (now < modem_next) now = modem_next;
      isTold = 1;
    }
    if (isTold) return ask_modem();
  }
  if (next.at > until) {
    now = until;
    return;
  }
  now = next.at;
  take_entry();
}

// As many bytes as have come by now, and those certainly.
int32_t machine_receive(int32_t port, uint8_t *bytes, int32_t room) {
  int32_t count = allowed[port] < room ? allowed[port] : room;
  if (count > UART_RING) count = UART_RING;
  // The line is as fast as the emulator lets it be, and that needs the processor.
  while (uart_waiting(port) < count) {
    interrupts_off();
    if (uart_waiting(port) < count) wait_for_interrupt();
    interrupts_on();
  }
  allowed[port] -= count;
  return uart_receive(port, bytes, count);
}

void machine_send(int32_t port, const uint8_t *bytes, int32_t count) {
  uart_send(port, bytes, count);
  if (port == 2) question.sent += (uint32_t)count;
}

void machine_press_key(int32_t milliseconds) {
  pins_power_key(1);
  question.key = 1;
  pulse_end = now + milliseconds;
}

int32_t machine_battery(void) {
  while (next.port == BATTERY && next.at <= now) take_entry();
  return battery;
}

// In place of the board's own, which reads a pin.
int32_t __wrap_machine_button(void) { return button; }

uint32_t machine_cycles(void) { return (uint32_t)now; }
