import Glibc
import SystemCalls

/// A pseudo-terminal with nothing at its other end, for what libedit asks of a terminal: modes,
/// keys, size. Nobody writes to it, so setting its modes never waits.
final class EditorTerminal {
  /// libedit draws a line that is higher than the screen past the end of its memory (re_fastputc in
  /// 3.1-20221030). So the screen seems to have room for any line, by its number of places: of a
  /// line twice as long as it may become, each character in hexadecimal.
  private static let places = 4 * WindowEditor.mostCharacters * 8

  private let descriptor: Descriptor
  private(set) var columns = 0

  var number: Int32 { descriptor.number }

  /// - Parameter settings: of the person's terminal, with the keys that it erases by.
  init?(_ settings: termios) {
    // As posix_openpt does, which Swift's Glibc does not import.
    guard let descriptor = try? Descriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY) else {
      return nil
    }
    self.descriptor = descriptor
    var settings = settings
    guard tcsetattr(number, TCSANOW, &settings) == 0 else { return nil }
    follow(STDIN_FILENO)
  }

  /// Takes the width of a terminal, within what lines can be drawn in.
  ///
  /// - Returns: whether it is another.
  @discardableResult
  func follow(_ terminal: Int32) -> Bool {
    let wanted = min(max(20, Terminal.size(of: terminal)?.columns ?? 80), 500)
    guard wanted != columns else { return false }
    columns = wanted
    var words = winsize()
    (words.ws_row, words.ws_col) = (UInt16(Self.places / wanted), UInt16(wanted))
    // TIOCSWINSZ (asm-generic/ioctls.h)
    return ioctl(number, 0x5414, &words) == 0
  }
}

/// A stream into memory, for what libedit has to write.
final class EditorPaper {
  let stream: UnsafeMutablePointer<FILE>
  private let bytes = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
  private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init?() {
    bytes.initialize(to: nil)
    count.initialize(to: 0)
    guard let stream = open_memstream(bytes, count) else { return nil }
    self.stream = stream
  }

  deinit {
    fclose(stream)
    free(bytes.pointee)
    bytes.deallocate()
    count.deallocate()
  }

  func write(_ text: String) { fputs(text, stream) }

  /// What has been written since the last call, without the NULs by which a VT100 of 1978 won time.
  func take() -> [UInt8] {
    guard fflush(stream) == 0, let start = bytes.pointee else { return [] }
    let written = UnsafeRawBufferPointer(start: start, count: count.pointee).filter { $0 != 0 }
    fseek(stream, 0, SEEK_SET)
    return written
  }
}
