public import Dispatch

extension DispatchQueue: Scheduler {
  /// An instant of the uptime clock.
  public struct SchedulerTimeType: Strideable, Codable, Hashable {
    public var dispatchTime: DispatchTime

    public init(_ time: DispatchTime) { dispatchTime = time }

    public init(from decoder: any Decoder) throws {
      dispatchTime = DispatchTime(uptimeNanoseconds: try decoder.singleValueContainer().decode(UInt64.self))
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    public func hash(into hasher: inout Hasher) { dispatchTime.rawValue.hash(into: &hasher) }

    /// The greatest stride for a distance from or to the distant future.
    public func distance(to other: SchedulerTimeType) -> Stride {
      switch (Int(exactly: dispatchTime.uptimeNanoseconds), Int(exactly: other.dispatchTime.uptimeNanoseconds)) {
      case (nil, nil): .nanoseconds(0)
      case (nil, _), (_, nil): .nanoseconds(.max)
      case (let own?, let other?): .nanoseconds(other - own)
      }
    }

    public func advanced(by n: Stride) -> SchedulerTimeType {
      guard let own = Int(exactly: dispatchTime.uptimeNanoseconds) else { return self }
      let (sum, overflow) = own.addingReportingOverflow(n.magnitude)
      if overflow { return SchedulerTimeType(.distantFuture) }
      return SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(max(1, sum))))
    }

    /// Nanoseconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
      Hashable, Codable
    {
      private var _nanoseconds: Int
      public var magnitude: Int {
        get { _nanoseconds }
        set { _nanoseconds = newValue }
      }

      private init(nanoseconds: Int) { _nanoseconds = nanoseconds }

      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let number): self = .seconds(number)
        case .milliseconds(let number): self = .milliseconds(number)
        case .microseconds(let number): self = .microseconds(number)
        case .nanoseconds(let number): self = .nanoseconds(number)
        case .never: self = .nanoseconds(.max)
        @unknown default: self = .nanoseconds(.max)
        }
      }

      public init(integerLiteral value: Int) { self = .seconds(value) }
      public init(floatLiteral value: Double) { self = .seconds(value) }
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        self = .seconds(value)
      }

      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      private static func saturating(_ number: Int, times factor: Int) -> Stride {
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return Stride(nanoseconds: overflow ? (number < 0 ? .min : .max) : product)
      }

      public static func seconds(_ s: Double) -> Stride {
        let nanoseconds = s * 1e9
        return Stride(nanoseconds: Int(exactly: nanoseconds.rounded(.towardZero)) ?? (s < 0 ? .min : .max))
      }

      public static func seconds(_ s: Int) -> Stride { saturating(s, times: 1_000_000_000) }
      public static func milliseconds(_ ms: Int) -> Stride { saturating(ms, times: 1_000_000) }
      public static func microseconds(_ us: Int) -> Stride { saturating(us, times: 1000) }
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
      public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.magnitude + rhs.magnitude) }
      public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(nanoseconds: lhs.magnitude - rhs.magnitude) }
      /// The product of two numbers of seconds.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        .seconds(Double(lhs.magnitude) / 1e9 * (Double(rhs.magnitude) / 1e9))
      }
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
    }
  }

  /// How a closure is put into the queue.
  public struct SchedulerOptions {
    public var qos: DispatchQoS
    public var flags: DispatchWorkItemFlags
    public var group: DispatchGroup?

    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      (self.qos, self.flags, self.group) = (qos, flags, group)
    }
  }

  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let options = options ?? SchedulerOptions()
    async(group: options.group, qos: options.qos, flags: options.flags, execute: Action(action).run)
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let (qos, flags) = (options?.qos ?? .unspecified, options?.flags ?? [])
    asyncAfter(deadline: date.dispatchTime, qos: qos, flags: flags, execute: Action(action).run)
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let source = DispatchSource.makeTimerSource(queue: self)
    source.schedule(
      deadline: date.dispatchTime, repeating: interval.timeInterval,
      leeway: max(tolerance, minimumTolerance).timeInterval)
    source.setEventHandler(
      qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], handler: Action(action).run)
    source.resume()
    return AnyCancellable(source.cancel)
  }
}

/// A closure that the subscriber has handed over to another thread.
struct Action: @unchecked Sendable {
  private let closure: () -> Void

  init(_ closure: @escaping () -> Void) { self.closure = closure }

  var run: @Sendable () -> Void { { self.closure() } }
}
