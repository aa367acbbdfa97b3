/// The source of random parameters for one drawn fault.
///
/// Every draw depends on the run's seed, the fault's kind and number, and how many draws this fault made before, but
/// not on other faults. Values are round, so that people can read the plan.
public struct FaultDice: Sendable {
  /// The time available to the fault, drawn around the nemesis's mean, within its bounds.
  ///
  /// For a kind that lasts (``FaultKind/lasts``) this is its `for`. Other kinds fit their own times into it, such as
  /// the time until a restart.
  public let length: VirtualTime.Span
  /// How long a fault that does not last waits for its occasion, its `for`; nil if it does not wait.
  public var waiting: VirtualTime.Span?
  /// The available crash points.
  public let points: [CrashPoint]
  /// The nodes played by other programs, which only have the session's points.
  public var apps: [NodeRole] = []
  private let random: RandomStream
  private let number: UInt64
  private var drawCount: UInt64 = 0

  /// Creates the dice of a fault.
  ///
  /// - Parameters:
  ///   - seed: The seed of the run.
  ///   - kind: The name of the fault's kind.
  ///   - number: Its number among the run's drawn faults, from 1.
  ///   - length: The time available to it.
  ///   - points: The available crash points; at least one.
  public init(seed: UInt64, kind: String, number: Int, length: VirtualTime.Span, points: [CrashPoint]) {
    random = RandomStream(seed: seed, name: "nemesis.\(kind)")
    self.number = UInt64(number)
    self.length = length
    self.points = points
  }

  /// The crash points available for a node.
  public func points(of node: NodeRole) -> [CrashPoint] {
    apps.contains(node) ? CrashPoint.session : points.filter { !CrashPoint.files.contains($0) }
  }

  /// The crash points between a node's files and their commit; empty if it has none.
  public func filePoints(of node: NodeRole) -> [CrashPoint] {
    apps.contains(node) ? [] : points.filter { CrashPoint.files.contains($0) }
  }

  /// Draws an integer, all equally likely.
  public mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int64(below(width))
  }

  /// Whether an event with this probability in percent happens.
  public mutating func happens(percent: Int64) -> Bool { number(in: 1...100) <= percent }

  /// Draws an element, all equally likely; the list must not be empty.
  public mutating func pickElement<Element>(_ list: [Element]) -> Element { list[Int(below(UInt64(list.count)))] }

  /// Draws a device; the phone, which most guarantees are about, twice as often.
  public mutating func pickNode() -> NodeRole { number(in: 1...3) == 1 ? .watch : .phone }

  /// Draws one of the devices whose nodes are apps; any without such.
  public mutating func pickApp() -> NodeRole {
    let node: NodeRole = happens(percent: 50) ? .watch : .phone
    return apps.isEmpty || apps.contains(node) ? node : apps[0]
  }

  /// Draws a part of the available time, in whole milliseconds and at least one.
  ///
  /// - Parameter percent: The range of the part; between 0 and 100.
  public mutating func partOfLength(percent: ClosedRange<Int64>) -> VirtualTime.Span {
    .milliseconds(max(1, length.nanoseconds / 1_000_000 * number(in: percent) / 100))
  }

  /// Draws a number along increasing steps, so that small values are as likely as large ones.
  ///
  /// - Parameter steps: At least two, in increasing order.
  public mutating func number(along steps: [Int64]) -> Int64 {
    let place = Int(below(UInt64(steps.count - 1)))
    return number(in: steps[place]...steps[place + 1])
  }

  /// Draws a span along steps in milliseconds; see ``number(along:)``.
  public mutating func span(alongMilliseconds steps: [Int64]) -> VirtualTime.Span {
    .milliseconds(number(along: steps))
  }

  /// Draws a probability in whole percent.
  ///
  /// - Parameter percent: Between 0 and 100.
  public mutating func probability(percent: ClosedRange<Int64>) -> Probability {
    share(number(in: percent), of: 100)
  }

  /// Draws a probability in whole thousandths.
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
