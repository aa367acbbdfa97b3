public import Foundation

/// A date as a scheduler's time.
public protocol DateSchedulerTime: Strideable, Codable, Hashable where Stride: SecondsStride {
  var date: Date { get set }
  init(_ date: Date)
}

extension DateSchedulerTime {
  public func distance(to other: Self) -> Stride {
    Stride(other.date.timeIntervalSinceReferenceDate - date.timeIntervalSinceReferenceDate)
  }

  public func advanced(by n: Stride) -> Self { Self(date + n.magnitude) }
}

/// Seconds as a scheduler's length of time.
public protocol SecondsStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
  Hashable, Codable
where IntegerLiteralType == TimeInterval, FloatLiteralType == TimeInterval, Magnitude == TimeInterval {
  var magnitude: TimeInterval { get set }
  init(_ timeInterval: TimeInterval)
}

extension SecondsStride {
  public init(integerLiteral value: TimeInterval) { self.init(value) }
  public init(floatLiteral value: TimeInterval) { self.init(value) }
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = TimeInterval(exactly: source) else { return nil }
    self.init(value)
  }

  public var timeInterval: TimeInterval { magnitude }

  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }
  public static func seconds(_ s: Double) -> Self { Self(s) }
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }
}

extension RunLoop: Scheduler {
  public struct SchedulerTimeType: DateSchedulerTime {
    public struct Stride: SecondsStride {
      public var magnitude: TimeInterval
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }

    public var date: Date
    public init(_ date: Date) { self.date = date }
  }

  /// There are none.
  public struct SchedulerOptions {}

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the closure in the loop's default mode.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    perform(inModes: [.default], block: Action(action).run)
    // A block alone does not wake a loop that waits in another thread.
    if RunLoop.current !== self { add(timer(at: Date(), interval: 0, repeats: false) {}) }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let timer = timer(at: date.date, interval: 0, repeats: false, action)
    timer.tolerance = tolerance.timeInterval
    add(timer)
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = timer(at: date.date, interval: interval.timeInterval, repeats: true, action)
    timer.tolerance = tolerance.timeInterval
    add(timer)
    return AnyCancellable(timer.invalidate)
  }

  private func timer(
    at date: Date, interval: TimeInterval, repeats: Bool, _ action: @escaping () -> Void
  ) -> Timer {
    let run = Action(action).run
    return Timer(fire: date, interval: interval, repeats: repeats) { _ in run() }
  }

  private func add(_ timer: Timer) { add(timer, forMode: .default) }
}

extension OperationQueue: Scheduler {
  public struct SchedulerTimeType: DateSchedulerTime {
    public struct Stride: SecondsStride {
      public var magnitude: TimeInterval
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }

    public var date: Date
    public init(_ date: Date) { self.date = date }
  }

  /// There are none.
  public struct SchedulerOptions {}

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    addOperation(BlockOperation(block: Action(action).run))
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    addOperation(TimedOperation(at: date.date, action))
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let series = OperationSeries(queue: self, interval: interval.timeInterval, action)
    series.add(at: date.date)
    return AnyCancellable(series.cancel)
  }
}

/// An operation that becomes ready at a date.
private final class TimedOperation: Operation, Cancellable, @unchecked Sendable {
  private let state = NSLock()
  private var action: (() -> Void)?
  private var isDue = false

  init(at date: Date, _ action: @escaping () -> Void) {
    self.action = action
    super.init()
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.timeIntervalSinceNow)) { [weak self] in
      self?.becomeReady()
    }
  }

  private func becomeReady() {
    willChangeValue(forKey: "isReady")
    state.withLock { isDue = true }
    didChangeValue(forKey: "isReady")
  }

  override var isReady: Bool { state.withLock { isDue } && super.isReady }

  override func main() {
    let due = state.withLock {
      defer { action = nil }
      return action
    }
    if !isCancelled { due?() }
  }
}

/// Operations at equal intervals, each put into the queue when the one before it has run.
private final class OperationSeries: @unchecked Sendable {
  private let lock = Lock()
  private let queue: OperationQueue
  private let interval: TimeInterval
  private let action: () -> Void
  private var current: Operation?
  private var isCancelled = false

  init(queue: OperationQueue, interval: TimeInterval, _ action: @escaping () -> Void) {
    (self.queue, self.interval, self.action) = (queue, interval, action)
  }

  func add(at date: Date) {
    let operation = TimedOperation(at: date) { [self] in
      if lock.run({ isCancelled }) { return }
      add(at: date + interval)
      action()
    }
    let isAdded = lock.run {
      if !isCancelled { current = operation }
      return !isCancelled
    }
    if isAdded { queue.addOperation(operation) }
  }

  func cancel() {
    let operation = lock.run {
      isCancelled = true
      defer { current = nil }
      return current
    }
    operation?.cancel()
  }
}
