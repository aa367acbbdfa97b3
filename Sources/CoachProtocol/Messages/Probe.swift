import Link

/// Test traffic: a number and filler bytes, by any channel.
///
/// Handling it has no effect but its own trace event; one that wants a reply is answered with its number.
public struct Probe: Sendable, Equatable {
  /// Its number since the sender's start, from 1.
  public var number: Int64
  /// Arbitrary bytes.
  public var filler: [UInt8]

  public init(number: Int64, filler: [UInt8] = []) {
    self.number = number
    self.filler = filler
  }
}

extension Probe: AppMessageBody {
  static let kind = AppMessage.Kind.probe
  /// The default; probes are sent by whichever channel they test.
  static let channel = Channel.message
  static let example = Probe(number: 7, filler: [0x57, 0x52])

  var message: AppMessage { .probe(self) }
  func describe(in details: inout TransferDetails) {
    details.n = number
  }
  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.integer("n", number)
    writer.data("filler", filler)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    number = try fields.requiredInteger("n", 0 ... .max)
    filler = try fields.data("filler")
  }
}
