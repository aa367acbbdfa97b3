/// What one drawn fault draws its parameters from.
///
/// Every draw depends on the run's seed, the fault's kind, the fault's number and how many draws that fault made before,
/// and on no other fault. Values are round, so that a person can read the plan.
public struct FaultDice: Sendable {
  /// How long the fault has: drawn around the nemesis's mean, and inside its bounds.
  ///
  /// Of a kind that lasts (``FaultKind/lasts``) this is its `for`; any other fits into it what it does by itself, such as
  /// the time until a restart.
  public let length: VirtualTime.Span
  /// How long a fault of a kind that does not last waits for its occasion: its `for`; nil where it waits for none.
  public var waiting: VirtualTime.Span?
  /// The places at which a crash can be asked for.
  public let points: [CrashPoint]
  /// The nodes that are programs of their own: they pass the session's points alone.
  public var apps: [NodeRole] = []
  private let random: RandomStream
  private let number: UInt64
  private var drawCount: UInt64 = 0

  /// Creates the dice of a fault.
  ///
  /// - Parameters:
  ///   - seed: The run's.
  ///   - kind: The name of the fault's kind.
  ///   - number: Which of the run's drawn faults it is, from 1.
  ///   - length: How long it has.
  ///   - points: The places at which a crash can be asked for; at least one.
  public init(seed: UInt64, kind: String, number: Int, length: VirtualTime.Span, points: [CrashPoint]) {
    random = RandomStream(seed: seed, name: "nemesis.\(kind)")
    self.number = UInt64(number)
    self.length = length
    self.points = points
  }

  /// The places at which a crash of a node can be asked for.
  public func points(of node: NodeRole) -> [CrashPoint] { apps.contains(node) ? CrashPoint.session : points }

  /// Draws a whole number, each as likely as the other.
  public mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int64(below(width))
  }

  /// Tells whether something happens that happens so many times in a hundred.
  public mutating func happens(percent: Int64) -> Bool { number(in: 1...100) <= percent }

  /// Draws one of a list, each as likely as the other; the list has at least one.
  public mutating func pick<Element>(_ list: [Element]) -> Element { list[Int(below(UInt64(list.count)))] }

  /// Draws a device; the phone is what the app's promises are about, so it comes up twice as often.
  public mutating func node() -> NodeRole { number(in: 1...3) == 1 ? .watch : .phone }

  /// Draws a part of the length, of whole milliseconds and at least one.
  ///
  /// - Parameter percent: How much of it; between 0 and 100.
  public mutating func part(percent: ClosedRange<Int64>) -> VirtualTime.Span {
    .milliseconds(max(1, length.nanoseconds / 1_000_000 * number(in: percent) / 100))
  }

  /// Draws a number along steps that grow, so that something small is as likely as something large.
  ///
  /// - Parameter steps: At least two, each larger than the one before.
  public mutating func number(along steps: [Int64]) -> Int64 {
    let place = Int(below(UInt64(steps.count - 1)))
    return number(in: steps[place]...steps[place + 1])
  }

  /// Draws a length of time along steps of milliseconds; see ``number(along:)``.
  public mutating func span(alongMilliseconds steps: [Int64]) -> VirtualTime.Span {
    .milliseconds(number(along: steps))
  }

  /// Draws a probability of whole hundredths.
  ///
  /// - Parameter percent: Between 0 and 100.
  public mutating func probability(percent: ClosedRange<Int64>) -> Probability {
    share(number(in: percent), of: 100)
  }

  /// Draws a probability of whole thousandths.
  ///
  /// - Parameter permille: Between 0 and 1000.
  public mutating func probability(permille: ClosedRange<Int64>) -> Probability {
    share(number(in: permille), of: 1_000)
  }

  private func share(_ part: Int64, of whole: Int64) -> Probability {
    guard let probability = Probability(Double(part) / Double(whole)) else {
      preconditionFailure("a probability of \(part) in \(whole)")
    }
    return probability
  }

  private mutating func below(_ bound: UInt64) -> UInt64 {
    defer { drawCount += 1 }
    return random.number(below: bound, for: number, draw: drawCount)
  }
}
