import DeviceClient
public import Foundation
@_exported public import FoundationNetworking

/// The internet, which no run has: every request fails as on a device without a network, and is a finding of the run.
///
/// Real requests would make a run depend on the world.
public final class URLSession: @unchecked Sendable {
  public static let shared = URLSession(configuration: .default)

  public let configuration: URLSessionConfiguration
  public let delegate: (any URLSessionDelegate)?
  public let delegateQueue: OperationQueue
  public var sessionDescription: String?

  public init(configuration: URLSessionConfiguration) {
    (self.configuration, delegate, delegateQueue) = (configuration, nil, OperationQueue())
  }

  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
  ) {
    (self.configuration, self.delegate) = (configuration, delegate)
    self.delegateQueue = delegateQueue ?? OperationQueue()
  }

  /// How long it takes until a device notices that it has no network.
  fileprivate static let delay = DispatchTimeInterval.milliseconds(20)

  fileprivate static func failure(_ url: URL?) -> URLError {
    DeviceClient.reportMissing(
      "urlSession", "URLSession for \(url?.host ?? "no host"): no run has the internet, a request")
    return URLError(.notConnectedToInternet, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:])
  }

  private static func wait(_ url: URL?) async throws -> Never {
    let error = failure(url)
    try await Task.sleep(for: .milliseconds(20))
    throw error
  }

  public func data(from url: URL) async throws -> (Data, URLResponse) { try await Self.wait(url) }
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) { try await Self.wait(request.url) }
  public func download(from url: URL) async throws -> (URL, URLResponse) { try await Self.wait(url) }
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) { try await Self.wait(request.url) }
  public func upload(for request: URLRequest, from data: Data) async throws -> (Data, URLResponse) {
    try await Self.wait(request.url)
  }
  public func upload(for request: URLRequest, fromFile file: URL) async throws -> (Data, URLResponse) {
    try await Self.wait(request.url)
  }

  public typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private func task(_ request: URLRequest?, _ completion: @escaping @Sendable (URLError) -> Void) -> URLSessionDataTask
  {
    URLSessionDataTask(request, on: delegateQueue, completion)
  }

  public func dataTask(with url: URL) -> URLSessionDataTask { task(URLRequest(url: url)) { _ in } }
  public func dataTask(with request: URLRequest) -> URLSessionDataTask { task(request) { _ in } }
  public func dataTask(with url: URL, completionHandler: @escaping Completion) -> URLSessionDataTask {
    task(URLRequest(url: url)) { completionHandler(nil, nil, $0) }
  }
  public func dataTask(with request: URLRequest, completionHandler: @escaping Completion) -> URLSessionDataTask {
    task(request) { completionHandler(nil, nil, $0) }
  }
  public func uploadTask(
    with request: URLRequest, from data: Data?, completionHandler: @escaping Completion
  ) -> URLSessionUploadTask {
    URLSessionUploadTask(request, on: delegateQueue) { completionHandler(nil, nil, $0) }
  }
  public func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    URLSessionDownloadTask(URLRequest(url: url), on: delegateQueue) { completionHandler(nil, nil, $0) }
  }
  public func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
    webSocketTask(with: URLRequest(url: url))
  }
  public func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    URLSessionWebSocketTask(request, on: delegateQueue) { _ in }
  }
  public func invalidateAndCancel() {}
  public func finishTasksAndInvalidate() {}
}

/// A request, which fails after it was resumed.
public class URLSessionTask: @unchecked Sendable {
  public enum State: Int, Sendable { case running = 0, suspended, canceling, completed }

  public let originalRequest: URLRequest?
  public var currentRequest: URLRequest? { originalRequest }
  public var response: URLResponse? { nil }
  public var priority: Float = 0.5
  private let queue: OperationQueue
  private let completion: @Sendable (URLError) -> Void
  private let lock = NSLock()
  private var now = State.suspended

  public var state: State { lock.withLock { now } }
  public var error: (any Error)? { state == .completed ? URLError(.notConnectedToInternet) : nil }

  init(_ request: URLRequest?, on queue: OperationQueue, _ completion: @escaping @Sendable (URLError) -> Void) {
    (originalRequest, self.queue, self.completion) = (request, queue, completion)
  }

  public func resume() {
    guard
      lock.withLock({ () -> Bool in
        guard now == .suspended else { return false }
        now = .running
        return true
      })
    else { return }
    finish(URLSession.failure(originalRequest?.url))
  }

  public func suspend() {}
  public func cancel() {
    guard state == .suspended || state == .running else { return }
    finish(URLError(.cancelled))
  }

  private func finish(_ error: URLError) {
    DispatchQueue.global().asyncAfter(deadline: .now() + URLSession.delay) { [self] in
      let isFirst = lock.withLock {
        defer { now = .completed }
        return now != .completed
      }
      if isFirst { queue.addOperation { self.completion(error) } }
    }
  }
}

public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

public final class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
  public enum Message: Sendable {
    case data(Data)
    case string(String)
  }
  public enum CloseCode: Int, Sendable {
    case invalid = 0
    case normalClosure = 1000
    case goingAway = 1001
    case protocolError = 1002
    case abnormalClosure = 1006
  }

  public func send(_ message: Message) async throws { throw URLError(.notConnectedToInternet) }
  public func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + URLSession.delay) {
      completionHandler(URLError(.notConnectedToInternet))
    }
  }
  public func receive() async throws -> Message { throw URLError(.notConnectedToInternet) }
  public func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + URLSession.delay) {
      completionHandler(.failure(URLError(.notConnectedToInternet)))
    }
  }
  public func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
    send(.string(""), completionHandler: pongReceiveHandler)
  }
  public func cancel(with code: CloseCode, reason: Data?) { cancel() }
}
