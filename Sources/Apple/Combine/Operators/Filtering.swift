extension Publishers {
  public struct Filter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let isIncluded: (Output) -> Bool

    public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
      (self.upstream, self.isIncluded) = (upstream, isIncluded)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Passage<Output, Failure, S>("Filter", to: subscriber) { [isIncluded] in
          isIncluded($0) ? subscriber.receive($0) : .max(1)
        })
    }
  }

  public struct TryFilter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let isIncluded: (Output) throws -> Bool

    public init(upstream: Upstream, isIncluded: @escaping (Output) throws -> Bool) {
      (self.upstream, self.isIncluded) = (upstream, isIncluded)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Upstream.Failure, S>(
          "TryFilter", to: subscriber, early: .trap, shown: TransformStage.showDownstream
        ) { [isIncluded] in try isIncluded($0) ? .value($0) : .skip })
    }
  }

  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    public typealias Output = Never
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, S.Failure == Failure {
      upstream.subscribe(
        Passage<Upstream.Output, Failure, IgnoringSubscriber<S>>("IgnoreOutput", to: IgnoringSubscriber(subscriber)) {
          _ in .none
        })
    }
  }

  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Output, Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Failure, S>.removingDuplicates("RemoveDuplicates", to: subscriber, by: predicate))
    }
  }

  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Output, Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Output, Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Upstream.Failure, S>.removingDuplicates(
          "TryRemoveDuplicates", to: subscriber, by: predicate))
    }
  }

  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Failure, S>(
          "PrefixWhile", to: subscriber, early: .trap, shown: TransformStage.showDownstream
        ) { [predicate] in predicate($0) ? .value($0) : .end })
    }
  }

  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Upstream.Failure, S>(
          "TryPrefixWhile", to: subscriber, early: .trap, shown: TransformStage.showDownstream
        ) { [predicate] in try predicate($0) ? .value($0) : .end })
    }
  }

  public struct DropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Failure, S>.dropping("DropWhile", to: subscriber, while: predicate))
    }
  }

  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TransformStage<Output, Upstream.Failure, S>.dropping("TryDropWhile", to: subscriber, while: predicate))
    }
  }
}

extension TransformStage where Input == Downstream.Input {
  static func removingDuplicates(
    _ name: String, to downstream: Downstream, by predicate: @escaping (Input, Input) throws -> Bool
  ) -> TransformStage {
    var last: Input?
    return TransformStage(
      name, to: downstream, early: .trap, shown: { [("downstream", $0.downstream), ("last", last as Any)] }
    ) { value in
      defer { last = value }
      guard let previous = last else { return .value(value) }
      return try predicate(previous, value) ? .skip : .value(value)
    }
  }

  static func dropping(
    _ name: String, to downstream: Downstream, while predicate: @escaping (Input) throws -> Bool
  ) -> TransformStage {
    var isDropping = true
    return TransformStage(name, to: downstream, early: .ignore, shown: showNothing) { value in
      if isDropping { isDropping = try predicate(value) }
      return isDropping ? .skip : .value(value)
    }
  }
}

/// Stands for a subscriber that can get no value.
struct IgnoringSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input == Never {
  let downstream: Downstream
  let combineIdentifier = CombineIdentifier()

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }
  func receive(_ input: Never) -> Subscribers.Demand {}
  func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }

  /// Publishes the completion alone.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }

  /// Leaves out a value that the closure finds equal to the one before it, which may itself have been left out.
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Finishes at the first value that the closure is false for.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }

  /// Begins with the first value that the closure is false for.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}

// MARK: Operators upon operators become one

extension Publishers.Filter {
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    Publishers.Filter(upstream: upstream) { [first = self.isIncluded] in first($0) && isIncluded($0) }
  }

  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    Publishers.TryFilter(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
  }
}

extension Publishers.TryFilter {
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    Publishers.TryFilter(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
  }

  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    Publishers.TryFilter(upstream: upstream) { [first = self.isIncluded] in try first($0) && isIncluded($0) }
  }
}

extension Publishers.Map {
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    Publishers.Map(upstream: upstream) { [first = self.transform] in transform(first($0)) }
  }

  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    Publishers.TryMap(upstream: upstream) { [first = self.transform] in try transform(first($0)) }
  }
}

extension Publishers.TryMap {
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    Publishers.TryMap(upstream: upstream) { [first = self.transform] in transform(try first($0)) }
  }

  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    Publishers.TryMap(upstream: upstream) { [first = self.transform] in try transform(try first($0)) }
  }
}

extension Publishers.CompactMap {
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    Publishers.CompactMap(upstream: upstream) { [first = self.transform] in first($0).flatMap(transform) }
  }

  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    Publishers.CompactMap(upstream: upstream) { [first = self.transform] in first($0).map(transform) }
  }
}

extension Publishers.TryCompactMap {
  public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
    Publishers.TryCompactMap(upstream: upstream) { [first = self.transform] in try first($0).flatMap(transform) }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
