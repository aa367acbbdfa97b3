import Foundation
import Link
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests to a real proxy over HTTP, and stores the answers until they are collected.
final class ProxyClient: Sendable {
  /// The outcome of a request.
  struct Answer: Sendable, Equatable {
    var id: Identifier
    /// The proxy's status; ``unreachable`` without an answer.
    var status: Int
    var content: UplinkContent
  }

  /// The status of a request that reached no proxy, as proxies themselves use it.
  static let unreachable = 599
  /// Limit of an answer: what fits into a frame with its envelope.
  static let answerBytesMax = Frame.payloadBytesMax - 1_024
  /// How much of an answer that is not JSON is passed on, in characters.
  private static let textMax = 1_000

  /// The URL before the path of a call.
  private let address: URL
  private let mailbox = Mailbox()
  private let session: URLSession

  /// - Parameter address: The proxy's URL before the path of a call.
  init(_ address: URL) {
    self.address = address
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: mailbox, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Posts a request.
  ///
  /// - Parameter timeout: Seconds after which the answer is ignored.
  func send(_ id: Identifier, path: String, body: [UInt8], timeout: Double) {
    var request = URLRequest(url: url(path), timeoutInterval: timeout)
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    start(request, id)
  }

  /// Asks for what the server has.
  ///
  /// - Parameter timeout: Seconds after which the answer is ignored.
  func ask(_ id: Identifier, path: String, range: String, timeout: Double) {
    let url = url(path).appending(queryItems: [URLQueryItem(name: "range", value: range)])
    start(URLRequest(url: url, timeoutInterval: timeout), id)
  }

  private func url(_ path: String) -> URL { address.appending(path: String(path.drop { $0 == "/" })) }

  private func start(_ request: URLRequest, _ id: Identifier) {
    var request = request
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let task = session.dataTask(with: request)
    mailbox.expect(id, from: task.taskIdentifier)
    task.resume()
  }

  /// Cancels a request whose answer is no longer needed.
  func forget(_ id: Identifier) {
    guard let task = mailbox.forget(id) else { return }
    session.getAllTasks { tasks in
      for found in tasks where found.taskIdentifier == task { found.cancel() }
    }
  }

  /// The answers since the last call, in the order of arrival.
  func collect() -> [Answer] { mailbox.collect() }

  /// Receives answers on the URL session's own threads.
  private final class Mailbox: NSObject, URLSessionDataDelegate, Sendable {
    private struct Open {
      var id: Identifier
      var bytes: [UInt8] = []
      var isTooLarge = false
    }

    private struct State {
      /// By task number; lookup only.
      var open: [Int: Open] = [:]
      var answers: [Answer] = []
    }

    private let state = Mutex(State())

    func expect(_ id: Identifier, from task: Int) {
      state.withLock { $0.open[task] = Open(id: id) }
    }

    /// The task to cancel; nil if the request is over.
    func forget(_ id: Identifier) -> Int? {
      state.withLock { state in
        guard let task = state.open.first(where: { $0.value.id == id })?.key else { return nil }
        state.open[task] = nil
        return task
      }
    }

    func collect() -> [Answer] {
      state.withLock { state in
        defer { state.answers = [] }
        return state.answers
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isTooLarge = state.withLock { state -> Bool in
        guard var open = state.open.removeValue(forKey: dataTask.taskIdentifier) else { return true }
        open.isTooLarge = open.isTooLarge || open.bytes.count + data.count > ProxyClient.answerBytesMax
        if !open.isTooLarge { open.bytes += data }
        let isTooLarge = open.isTooLarge
        state.open[dataTask.taskIdentifier] = open
        return isTooLarge
      }
      if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // The athlete's data goes only to the configured proxy: redirects are not followed.
      completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let status = (task.response as? HTTPURLResponse)?.statusCode
      let why = error.map { ($0 as? URLError).map { "error \($0.errorCode) of the network" } ?? "the network failed" }
      let isTimeout = (error as? URLError)?.code == .timedOut
      state.withLock { state in
        guard let open = state.open.removeValue(forKey: task.taskIdentifier) else { return }
        if open.isTooLarge {
          let words = "the answer is over \(ProxyClient.answerBytesMax) bytes"
          state.answers.append(ProxyClient.failure(open.id, words))
        } else if let why {
          // The caller counts the timeout itself.
          if !isTimeout { state.answers.append(ProxyClient.failure(open.id, why)) }
        } else {
          state.answers.append(ProxyClient.answer(open.id, status: status ?? 0, open.bytes))
        }
      }
    }
  }

  private static func answer(_ id: Identifier, status: Int, _ bytes: [UInt8]) -> Answer {
    guard 100...599 ~= status else { return failure(id, "no status of HTTP: \(status)") }
    guard let node = try? JSONParser.parse(bytes, dialect: .json) else {
      let text = String(String(decoding: bytes, as: UTF8.self).prefix(textMax))
      return Answer(id: id, status: status, content: .text(text))
    }
    return Answer(id: id, status: status, content: .body(JSONWriter.compact(node)))
  }

  private static func failure(_ id: Identifier, _ words: String) -> Answer {
    let body = JSONWriter.compact(JSONNode(.object([JSONMember("error", .string(words))])))
    return Answer(id: id, status: unreachable, content: .body(body))
  }
}
