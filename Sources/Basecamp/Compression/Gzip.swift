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
