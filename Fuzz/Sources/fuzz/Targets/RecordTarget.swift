@testable import Link

/// The first byte chooses the accepted types and the size of the pieces.
enum RecordTarget: FuzzTarget {
  static let name = "records"
  static let about = "records between conductor and node; pieces of any size give the same records"

  private static let sets: [RecordSet] = [.join, .answer, .beginning, .welcome, .order, .input]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    var writer = RecordWriter()
    writer.frame(FrameTarget.example)
    writer.grant(Grant(at: .start + .seconds(3), firesTimers: true, inputs: 1))
    writer.handled()
    writer.done(nextDeadline: .start + .seconds(5))
    writer.failed("why")
    writer.end()
    try? writer.welcome("{}")
    try? writer.arm(CrashPoint.session)
    return (0..<24).map { [UInt8($0)] + writer.bytes }
  }

  static func run(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let accepted = sets[Int(first) % sets.count]
    let size = Int(first) / sets.count * 3 + 1
    let whole = read(bytes.dropFirst(), accepted, size: .max)
    precondition(read(bytes.dropFirst(), accepted, size: size) == whole, "pieces change the records")
  }

  private static func read(_ bytes: ArraySlice<UInt8>, _ accepted: RecordSet, size: Int) -> [String] {
    var decoder = RecordDecoder()
    var found: [String] = []
    var text: [UInt8] = []
    var rest = bytes
    repeat {
      decoder.feed(rest.prefix(size))
      rest = rest.dropFirst(size)
      do {
        while let record = try decoder.next(accepted, text: &text) { found.append("\(record)") }
      } catch {
        return found + ["\(error)"]
      }
    } while !rest.isEmpty
    return found + [String(decoding: text, as: UTF8.self)]
  }
}
