import Foundation
import Testing

@testable import WatchConnectivity

/// `WCError`, and how apps use it.
@Suite struct `Errors` {
  private let thrown: any Error = SessionRuntime(options: SessionOptions()).error(.notReachable)
  /// An error of the same code as apps and their mocks make it.
  private let object: any Error = NSError(domain: WCErrorDomain, code: 7007)

  @Test func `codes run from 7001 to 7019 without a gap`() {
    #expect(WCError.Code.allCases.map(\.rawValue) == Array(7001...7019))
    #expect(WCErrorDomain == "WCErrorDomain")
    #expect(WCError.notReachable == .notReachable && WCError.watchOnlyApp.rawValue == 7019)
  }

  @Test func `every code has a text`() {
    for code in WCError.Code.allCases {
      #expect(WCError(code).localizedDescription == code.text)
      #expect((WCError(code) as NSError).localizedDescription == code.text)
    }
    #expect(
      WCError(.notReachable).localizedDescription == "WatchConnectivity session on paired device is not reachable.")
    #expect(WCError(.messageReplyTimedOut).failureReason == "Reply timeout occurred.")
    #expect(WCError(.payloadTooLarge).recoverySuggestion == "Send a smaller payload.")
  }

  @Test func `an error prints as the framework's does`() {
    #expect(
      "\(WCError(.messageReplyTimedOut))"
        == "Error Domain=WCErrorDomain Code=7012 \"Message reply took too long.\" UserInfo={NSLocalizedDescription="
        + "Message reply took too long., NSLocalizedFailureReason=Reply timeout occurred.}")
  }

  @Test func `an app can make an error with texts of its own`() {
    let error = WCError(.notReachable, userInfo: [NSLocalizedDescriptionKey: "mine", "key": 1])
    #expect(error.localizedDescription == "mine" && (error as NSError).userInfo["key"] as? Int == 1)
    #expect(error == WCError(.notReachable) && error != WCError(.genericError))
    #expect(WCError(.payloadTooLarge, userInfo: ["key": 1]).recoverySuggestion == "Send a smaller payload.")
  }

  @Test func `an error can be cast to WCError and to NSError, whichever it is`() {
    for error in [thrown, object] {
      #expect((error as? WCError)?.code == .notReachable)
      #expect((error as NSError).domain == "WCErrorDomain" && (error as NSError).code == 7007)
      // By way of Any, as the compiler would warn that the cast always succeeds.
      #expect(((error as Any) as? NSError)?.domain == "WCErrorDomain")
    }
    #expect(((thrown as Any) as? NSError)?.localizedDescription == WCError(.notReachable).localizedDescription)
    for other in [NSError(domain: "other", code: 7007), NSError(domain: WCErrorDomain, code: 1)] as [any Error] {
      #expect(other as? WCError == nil)
    }
  }

  @Test func `what an app adds to an error is kept by a cast`() {
    let error: any Error = WCError(.payloadTooLarge, userInfo: ["key": 1])
    let object = (error as Any) as? NSError
    #expect(object?.userInfo["key"] as? Int == 1)
    #expect(((object as Any) as? WCError)?.userInfo["key"] as? Int == 1)
  }

  @Test func `an error can be caught by its code, in either form`() {
    for error in [thrown, object] {
      do {
        throw error
      } catch WCError.payloadTooLarge {
        Issue.record("the wrong code")
      } catch WCError.notReachable {
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test func `a clause that catches NSError alone catches either form`() {
    for error in [thrown, object] {
      do { throw error } catch let error as NSError { #expect(error.code == 7007) }
    }
  }

  @Test func `the environment chooses what is not recorded`() {
    #expect(!SessionOptions { $0 == "WRISTWIRE_PAIRED" ? "0" : nil }.isPaired)
    #expect(!SessionOptions { $0 == "WRISTWIRE_COMPLICATION" ? "0" : nil }.isComplicationEnabled)
    #expect(!SessionOptions { $0 == "WRISTWIRE_REACTIVATION" ? "silent" : nil }.tellsReactivation)
    #expect(SessionOptions { $0 == "WRISTWIRE_FILES" ? "copy" : nil }.copiesFiles)
    #expect(SessionOptions { $0 == "WRISTWIRE_CANCELLATION" ? "didFinish" : nil }.tellsCancellation)
  }

  @Test func `a switch over codes needs no more than codes`() {
    guard let error = thrown as? WCError else {
      Issue.record("no WCError")
      return
    }
    switch error.code {
    case .notReachable: break
    case .payloadTooLarge, .deliveryFailed: Issue.record("the wrong code")
    default: Issue.record("no code")
    }
  }
}
