public import Link

/// Test traffic: a number and filler bytes, by any channel.
///
/// Handling it has no effect but its own trace event; one that wants a reply is answered with its number.
public struct Probe: AppMessageBody {
  /// Its number since the sender's start, from 1.
  public var number: Int64 = 0
  /// Arbitrary bytes.
  public var filler: [UInt8] = []

  public init() {}

  public init(number: Int64, filler: [UInt8] = []) {
    self.number = number
    self.filler = filler
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("n", &number, in: 0 ... .max, "counts the probes of the sender's start, from 1")
    fields.data("filler", &filler, "any bytes")
  }

  static let kind = AppMessage.Kind.probe
  /// The default; probes are sent by whichever channel they test.
  static let channel = Channel.message
  static let example = Probe(number: 7, filler: [0x57, 0x52])
  var message: AppMessage { .probe(self) }
  var tracedFields: [TraceEvent.Field] { fields }
}
