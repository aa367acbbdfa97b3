/// The container of a simulated recording: an M4A file of AAC frames at 64 kbit/s, mono, 32 kHz, which play as silence.
///
/// Each frame is an empty channel and a fill element, whose bytes are the recording's own: files of equal length differ.
/// Bytes after the last frame belong to no frame.
package struct M4AContainer: Sendable, Equatable {
  /// Samples a second.
  package static let sampleRate: UInt64 = 32_000
  private static let frameSamples: UInt64 = 1_024
  /// 32 ms at 64 kbit/s.
  package static let frameBytes: UInt64 = 256

  /// The length, in samples.
  private let samples: UInt64
  /// The file up to the first frame.
  package let header: [UInt8]
  package let frameCount: UInt64

  /// - Parameters:
  ///   - milliseconds: The length, above 0; a day at most.
  ///   - byteCount: The size of the file, at least ``size(milliseconds:)``.
  package init(milliseconds: UInt64, byteCount: UInt64) {
    samples = min(max(milliseconds, 1), 86_400_000) * Self.sampleRate / 1_000
    frameCount = (samples + Self.frameSamples - 1) / Self.frameSamples
    let parts = Self.ftyp + Self.moov(samples: samples, frames: frameCount, at: 0)
    let start = parts.count + 8
    var header = Self.ftyp + Self.moov(samples: samples, frames: frameCount, at: UInt32(start))
    header += Self.number(UInt32(clamping: byteCount) - UInt32(parts.count)) + Array("mdat".utf8)
    self.header = header
  }

  /// The smallest file of a length in milliseconds.
  package static func size(milliseconds: UInt64) -> UInt64 {
    let container = M4AContainer(milliseconds: milliseconds, byteCount: UInt64(UInt32.max))
    return UInt64(container.header.count) + container.frameCount * frameBytes
  }

  // MARK: Bytes

  /// Replaces those of arbitrary bytes that the form needs.
  ///
  /// - Parameters:
  ///   - buffer: The file's bytes.
  ///   - offset: Where in the file they begin.
  func overlay(_ buffer: inout MutableSpan<UInt8>, from offset: UInt64) {
    let start = UInt64(header.count)
    let end = offset + UInt64(buffer.count)
    for place in min(offset, start)..<min(end, start) { buffer[Int(place - offset)] = header[Int(place)] }
    let frames = (max(offset, start) - start) / Self.frameBytes
    for frame in frames..<max(frames, frameCount) {
      let first = start + frame * Self.frameBytes
      guard first < end else { return }
      // An empty channel, 29 bits; the fill element's tag, and its length of 250 bytes, whose type is to be skipped.
      for (index, byte) in ([0, 0, 0, 0x06, 0xFE, 0xC0] as [UInt8]).enumerated() {
        Self.change(&buffer, at: first + UInt64(index), from: offset) { _ in byte }
      }
      // The end of the frame.
      Self.change(&buffer, at: first + Self.frameBytes - 1, from: offset) { $0 & 0xF0 | 0x0E }
    }
  }

  private static func change(
    _ buffer: inout MutableSpan<UInt8>, at place: UInt64, from offset: UInt64, _ value: (UInt8) -> UInt8
  ) {
    guard place >= offset, place - offset < UInt64(buffer.count) else { return }
    let index = Int(place - offset)
    buffer[index] = value(buffer[index])
  }

  // MARK: Boxes

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func numbers(_ values: UInt32...) -> [UInt8] { values.flatMap(number) }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(content.count + 8)) + Array(type.utf8) + content
  }

  private static let ftyp = box("ftyp", Array("M4A ".utf8) + number(0) + Array("M4A mp42isom".utf8))
  private static let matrix = numbers(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

  private static func moov(samples: UInt64, frames: UInt64, at start: UInt32) -> [UInt8] {
    let (rate, length) = (UInt32(sampleRate), UInt32(samples))
    let mvhd = box(
      "mvhd",
      numbers(0, 0, 0, rate, length, 0x1_0000, 0x0100_0000, 0, 0) + matrix + numbers(0, 0, 0, 0, 0, 0, 2))
    let tkhd = box(
      "tkhd", numbers(7, 0, 0, 1, 0, length, 0, 0, 0, 0x0100_0000) + matrix + numbers(0, 0))
    let mdhd = box("mdhd", numbers(0, 0, 0, rate, length, 0x55C4_0000))
    let hdlr = box("hdlr", numbers(0, 0) + Array("soun".utf8) + numbers(0, 0, 0) + [0])
    let dinf = box("dinf", box("dref", numbers(0, 1) + box("url ", number(1))))
    let minf = box("minf", box("smhd", numbers(0, 0)) + dinf + stbl(samples, frames, at: start))
    return box("moov", mvhd + box("trak", tkhd + box("mdia", mdhd + hdlr + minf)))
  }

  /// The tables of samples.
  private static func stbl(_ samples: UInt64, _ frames: UInt64, at start: UInt32) -> [UInt8] {
    // AAC LC, 32 kHz, one channel.
    let decoder: [UInt8] = [5, 2, 0x12, 0x88]
    let configuration: [UInt8] =
      [4, UInt8(13 + decoder.count), 0x40, 0x15, 0, 1, 0] + numbers(64_000, 64_000) + decoder
    let stream: [UInt8] = [3, UInt8(3 + configuration.count + 3), 0, 1, 0] + configuration + [6, 1, 2]
    let entry = box(
      "mp4a", numbers(0, 1, 0, 0, 0x1_0010, 0, UInt32(sampleRate) << 16) + box("esds", number(0) + stream))
    let last = samples - (frames - 1) * frameSamples
    var lengths: [(count: UInt64, samples: UInt64)] = [(1, last)]
    if frames > 1 { lengths.insert((frames - 1, frameSamples), at: 0) }
    let stts = numbers(0, UInt32(lengths.count)) + lengths.flatMap { numbers(UInt32($0.count), UInt32($0.samples)) }
    return box(
      "stbl",
      box("stsd", numbers(0, 1) + entry) + box("stts", stts)
        + box("stsc", numbers(0, 1, 1, UInt32(frames), 1))
        + box("stsz", numbers(0, UInt32(frameBytes), UInt32(frames))) + box("stco", numbers(0, 1, start)))
  }
}
