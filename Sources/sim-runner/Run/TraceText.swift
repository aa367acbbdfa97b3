import Foundation

/// The text of a trace in memory, so that a report can quote its lines.
final class TraceText {
  /// What is kept at most; a longer trace is quoted by line numbers alone.
  static let bytesMax = 256 << 20

  private var bytes: [UInt8] = []
  private var isComplete = true

  /// Takes the next piece.
  func append(_ piece: [UInt8]) {
    guard isComplete, bytes.count + piece.count <= Self.bytesMax else {
      isComplete = false
      bytes = []
      return
    }
    bytes += piece
  }

  /// The lines with these numbers, counted from 1, in the order of the trace; those that are not kept are left out.
  func lines(_ numbers: [Int]) -> [(number: Int, text: String)] {
    guard let last = numbers.max() else { return [] }
    // Membership only.
    let wanted = Set(numbers)
    var found: [(Int, String)] = []
    var (number, start) = (1, 0)
    while start < bytes.count, number <= last {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if wanted.contains(number) { found.append((number, String(decoding: bytes[start..<end], as: UTF8.self))) }
      number += 1
      start = end + 1
    }
    return found
  }
}
