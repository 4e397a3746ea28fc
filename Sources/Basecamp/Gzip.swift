internal import CZlib

/// Writes a body in the format gzip.
enum Gzip {
  /// - Returns: `nil` if there is no memory.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    // On the heap, because zlib keeps a pointer to it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // 16: gzip instead of zlib. Level 4: an answer shrinks to an eighth, and 9 gains another tenth
    // in five times the time.
    let code = deflateInit2_(
      stream, 4, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { deflateEnd(stream) }
    let room = Int(deflateBound(stream, UInt(bytes.count)))
    let ended: (Int32, [UInt8]) = bytes.withUnsafeBufferPointer { input in
      var code = Z_OK
      let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        code = deflate(stream, Z_FINISH)
        count = room - Int(stream.pointee.avail_out)
      }
      return (code, output)
    }
    return ended.0 == Z_STREAM_END ? ended.1 : nil
  }

  /// Whether a client takes it (RFC 9110 §12.5.3).
  ///
  /// - Parameter header: of the request, Accept-Encoding.
  static func isWelcome(_ header: String?) -> Bool {
    let parts = (header ?? "").lowercased().split(separator: ",").map { part in
      part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
    }
    // What is named counts before what stands for all others.
    let found = parts.first { $0.first == "gzip" } ?? parts.first { $0.first == "*" }
    guard let words = found else { return false }
    let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
    return weight.map { Double($0) ?? 0 > 0 } ?? true
  }
}

/// Reads a body in the format gzip or zlib (`Content-Encoding: gzip`, `deflate`), piece by piece.
final class GzipReader {
  enum Outcome {
    case goesOn
    /// There is more than the limit.
    case tooLarge
    case damaged
  }

  // On the heap, because zlib keeps a pointer to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var buffer = [UInt8](repeating: 0, count: 32 << 10)
  /// Whether the end has been read; without it the body is cut.
  private(set) var isComplete = false

  /// - Returns: `nil` if there is no memory.
  init?() {
    stream.initialize(to: z_stream())
    // 32: the format is recognised from the first bytes.
    let code = inflateInit2_(
      stream, MAX_WBITS + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Appends what a piece becomes.
  ///
  /// - Parameter limit: of `body`, which a small piece can exceed a thousandfold.
  func read(
    _ piece: UnsafeRawBufferPointer, into body: inout [UInt8], atMost limit: Int
  ) -> Outcome {
    // zlib does not change the input, though it is declared so.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: piece.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(piece.count)
    repeat {
      // Nothing may follow the end.
      if isComplete { return stream.pointee.avail_in == 0 ? .goesOn : .damaged }
      var code = Z_OK
      let count = buffer.withUnsafeMutableBufferPointer { buffer in
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        code = inflate(stream, Z_NO_FLUSH)
        return buffer.count - Int(stream.pointee.avail_out)
      }
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return .damaged }
      if body.count + count > limit { return .tooLarge }
      body += buffer[..<count]
      isComplete = code == Z_STREAM_END
      if count == 0, !isComplete { return .goesOn }
    } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    return .goesOn
  }
}
