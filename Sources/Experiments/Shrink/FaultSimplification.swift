import Simulator
import Link

/// Ways to simplify one fault, the most effective first.
struct FaultSimplification {
  /// Simpler replacements, the most drastic first.
  private let make: @Sendable (PlannedFault, VirtualTime) -> [PlannedFault]
  /// Whether to repeat the step on its result.
  let repeats: Bool

  /// Replacements for a fault in a run that lasts until `end`.
  func candidates(_ fault: PlannedFault, end: VirtualTime) -> [PlannedFault] { make(fault, end) }

  /// In the order in which they are tried.
  static let steps = [
    Self(make: { fault, _ in narrower(fault) }, repeats: true),
    Self(make: { fault, _ in simpler(fault) }, repeats: true),
    Self(make: { fault, end in shorter(fault, end) }, repeats: true),
    Self(make: { fault, _ in trimmed(fault) }, repeats: false),
    Self(make: { fault, _ in rounderLength(fault) }, repeats: false),
    Self(make: { fault, _ in rounderBegin(fault) }, repeats: false),
    Self(make: { fault, _ in RoundNumbers.candidates(fault) }, repeats: true),
  ]

  /// One direction instead of two, one channel instead of several.
  private static func narrower(_ fault: PlannedFault) -> [PlannedFault] {
    guard type(of: fault.body.fault).isSelective else { return [] }
    var candidates: [PlannedFault] = []
    if fault.direction == nil {
      for direction in fault.isOnUplink ? Direction.ofUplink : Direction.ofLink {
        candidates.append(with(fault) { $0.direction = direction })
      }
    }
    guard !fault.isOnUplink, type(of: fault.body.fault).hasChannels else { return candidates }
    let channels = fault.channels ?? Channel.ofLink
    if channels.count > 1 {
      for channel in channels { candidates.append(with(fault) { $0.channels = [channel] }) }
    }
    return candidates
  }

  /// The kind's own simplifications.
  private static func simpler(_ fault: PlannedFault) -> [PlannedFault] {
    fault.body.simpler.map { body in
      with(fault) {
        $0.body = body
        // A kill waits for its point until its end; without a point it has none.
        if !type(of: body.fault).lasts { $0.end = nil }
      }
    }
  }

  /// Half as long, from either side.
  private static func shorter(_ fault: PlannedFault, _ runEnd: VirtualTime) -> [PlannedFault] {
    guard type(of: fault.body.fault).lasts else { return [] }
    guard let end = fault.end else {
      guard runEnd > fault.begin else { return [] }
      return [with(fault) { $0.end = runEnd }]
    }
    let half = VirtualTime.Span(nanoseconds: (end - fault.begin).nanoseconds / 2_000_000 * 1_000_000)
    guard half >= .milliseconds(50) else { return [] }
    return [with(fault) { $0.end = fault.begin + half }, with(fault) { $0.begin = fault.begin + half }]
  }

  /// A quarter shorter, if a half was too much.
  private static func trimmed(_ fault: PlannedFault) -> [PlannedFault] {
    guard type(of: fault.body.fault).lasts, let end = fault.end else { return [] }
    let quarter = VirtualTime.Span(nanoseconds: (end - fault.begin).nanoseconds / 4_000_000 * 1_000_000)
    guard quarter >= .milliseconds(50) else { return [] }
    return [
      with(fault) { $0.end = end + quarter * -1 }, with(fault) { $0.begin = fault.begin + quarter },
    ]
  }

  private static let units: [VirtualTime.Span] = [
    .seconds(60), .seconds(10), .seconds(1), .milliseconds(100), .milliseconds(10),
  ]

  /// Rounder lengths, none of them more than half again as long.
  private static func rounderLength(_ fault: PlannedFault) -> [PlannedFault] {
    guard let end = fault.end else { return [] }
    let length = (end - fault.begin).nanoseconds
    var candidates: [PlannedFault] = []
    for unit in units where unit.nanoseconds <= length {
      guard length % unit.nanoseconds != 0 else { break }
      let below = length / unit.nanoseconds * unit.nanoseconds
      for rounded in [below, below + unit.nanoseconds] where rounded <= length + length / 2 {
        candidates.append(with(fault) { $0.end = fault.begin + VirtualTime.Span(nanoseconds: rounded) })
      }
    }
    return candidates
  }

  /// Rounder beginnings, with the same length.
  private static func rounderBegin(_ fault: PlannedFault) -> [PlannedFault] {
    var candidates: [PlannedFault] = []
    for unit in units {
      guard fault.begin.nanoseconds % unit.nanoseconds != 0 else { break }
      let below = fault.begin.nanoseconds / unit.nanoseconds * unit.nanoseconds
      for rounded in [below, below + unit.nanoseconds] {
        let shift = VirtualTime.Span(nanoseconds: rounded - fault.begin.nanoseconds)
        candidates.append(
          with(fault) {
            $0.begin = fault.begin + shift
            $0.end = fault.end.map { $0 + shift }
          })
      }
    }
    return candidates
  }

  private static func with(_ fault: PlannedFault, _ change: (inout PlannedFault) -> Void) -> PlannedFault {
    var changed = fault
    change(&changed)
    return changed
  }
}

/// Rounds numbers among a fault's parameters, in its JSON, independent of the kind.
enum RoundNumbers {
  /// Keys that are not parameters.
  private static let others = ["id", "at", "for", "direction", "channels"]

  /// The fault with one number rounded to one digit or to two, each number in turn.
  static func candidates(_ fault: PlannedFault) -> [PlannedFault] {
    guard case .object(let members) = fault.json else { return [] }
    var candidates: [PlannedFault] = []
    for index in members.indices where !others.contains(members[index].key) {
      for node in variants(members[index].node) {
        var changed = members
        changed[index].node = node
        if let planned = read(changed) { candidates.append(planned) }
      }
    }
    return candidates
  }

  /// The node with one of the numbers in it rounded.
  private static func variants(_ node: JSONNode) -> [JSONNode] {
    switch node.value {
    case .integer(let number): return rounded(Double(number)).map { JSONNode(.plain($0)) }
    case .number(let number): return rounded(number).map { JSONNode(.plain($0)) }
    case .object(let members):
      var variants: [JSONNode] = []
      for index in members.indices {
        for inner in self.variants(members[index].node) {
          var changed = members
          changed[index].node = inner
          variants.append(JSONNode(.object(changed)))
        }
      }
      return variants
    case .null, .bool, .string, .array: return []
    }
  }

  /// The number with one digit, and with two; those that differ from it.
  private static func rounded(_ number: Double) -> [Double] {
    guard number != 0, abs(number) < 1e15, abs(number) > 1e-9 else { return [] }
    var unit = 1.0
    while abs(number) / unit >= 10 { unit *= 10 }
    while abs(number) / unit < 1 { unit /= 10 }
    var found: [Double] = []
    for scale in [1.0, 10.0] {
      // By the number of units, so that 0.3 is 3 / 10 and not 3 x 0.1.
      let count = (number / unit * scale).rounded()
      let value = unit < 1 ? count / (scale / unit).rounded() : count * unit / scale
      if value != number, value != 0, !found.contains(value) { found.append(value) }
    }
    return found
  }

  private static func read(_ members: [JSONMember]) -> PlannedFault? {
    let collector = DiagnosticsCollector(file: "fault")
    let reader = JSONValueReader(JSONNode(.object(members)), into: collector)
    let plan = FaultPlan.read([reader], points: CrashPoint.all)
    return collector.diagnostics.hasErrors ? nil : plan.first
  }
}
