import Link

/// Test traffic: a number and bytes that mean nothing, by any channel.
///
/// Handling it has no effect but its own line; one that wants a reply is answered with its number.
public struct Probe: Sendable, Equatable {
  /// Which probe of the sender's start it is, from 1.
  public var number: Int64
  /// Bytes that mean nothing.
  public var filler: [UInt8]

  /// Creates a probe.
  public init(number: Int64, filler: [UInt8] = []) {
    self.number = number
    self.filler = filler
  }
}

extension Probe: AppMessageBody {
  static let kind = AppMessage.Kind.probe
  /// The usual one; a probe goes by whichever it is to try.
  static let channel = Channel.message
  static let example = Probe(number: 7, filler: [0x57, 0x52])

  var message: AppMessage { .probe(self) }
  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.integer("n", number)
    writer.data("filler", filler)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    number = try MessageFields.require(.probe, "n", try fields.integer("n", 0 ... .max))
    filler = try fields.data("filler")
  }
}
