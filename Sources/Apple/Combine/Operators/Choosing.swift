extension Publishers {
  public struct Count<Upstream: Publisher>: Publisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("Count", to: subscriber, initial: 0) {
          result, _ in
          result = result.map { $0 + 1 }
          return false
        })
    }
  }

  public struct First<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("First", to: subscriber, initial: nil) {
          result, value in
          result = value
          return true
        })
    }
  }

  public struct FirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryFirst", to: subscriber, initial: nil) {
          [predicate] result, value in
          guard predicate(value) else { return false }
          result = value
          return true
        })
    }
  }

  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryFirstWhere", to: subscriber, initial: nil) {
          [predicate] result, value in
          guard try predicate(value) else { return false }
          result = value
          return true
        })
    }
  }

  public struct Last<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("Last", to: subscriber, initial: nil) {
          result, value in
          result = value
          return false
        })
    }
  }

  public struct LastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("LastWhere", to: subscriber, initial: nil) {
          [predicate] result, value in
          if predicate(value) { result = value }
          return false
        })
    }
  }

  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error
    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>("TryLastWhere", to: subscriber, initial: nil) {
          [predicate] result, value in
          if try predicate(value) { result = value }
          return false
        })
    }
  }

  public struct Collect<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure
    public let upstream: Upstream

    public init(upstream: Upstream) { self.upstream = upstream }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction<Upstream.Output, Upstream.Failure, S>(
          "Collect", to: subscriber, initial: [], shown: { [("count", $0?.count ?? 0)] }
        ) {
          result, value in
          result?.append(value)
          return false
        })
    }
  }
}

extension Publisher {
  public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }
  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }

  public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }

  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }

  /// All values as one array, at the end.
  public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}
extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}
extension Publishers.Collect: Equatable where Upstream: Equatable {}
