import Foundation
import Testing

@testable import WatchConnectivity

/// `WCError`, and what becomes of it in the hands of an app.
@Suite struct `Errors` {
  private func thrown(_ options: SessionOptions) -> any Error {
    SessionRuntime(options: options).error(.notReachable)
  }

  private var objects: SessionOptions {
    var options = SessionOptions()
    options.handsOutObjects = true
    return options
  }

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

  @Test func `a struct can be cast to WCError and to NSError`() {
    let error = thrown(SessionOptions())
    #expect((error as? WCError)?.code == .notReachable)
    #expect((error as NSError).domain == "WCErrorDomain" && (error as NSError).code == 7007)
  }

  @Test func `an error can be caught by its code, in either form`() {
    for options in [SessionOptions(), objects] {
      do {
        throw thrown(options)
      } catch WCError.payloadTooLarge {
        Issue.record("the wrong code")
      } catch WCError.notReachable {
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test func `a struct is no NSError at run time, an object is`() {
    // Where an app has `as? NSError` or catches NSError alone, the environment asks for objects.
    let (form, object) = (thrown(SessionOptions()), thrown(objects))
    #expect(Mirror(reflecting: form).displayStyle == .struct)
    #expect(Mirror(reflecting: object).displayStyle == .class)
    do { throw object } catch let error as NSError { #expect(error.code == 7007) }
    #expect((object as NSError).localizedDescription == WCError(.notReachable).localizedDescription)
  }

  @Test func `the environment chooses the form`() {
    #expect(!SessionOptions(environment: [:]).handsOutObjects)
    #expect(SessionOptions(environment: ["WRISTWIRE_WCERROR": "NSError"]).handsOutObjects)
    #expect(!SessionOptions(environment: ["WRISTWIRE_PAIRED": "0"]).isPaired)
    #expect(!SessionOptions(environment: ["WRISTWIRE_COMPLICATION": "0"]).isComplicationEnabled)
    #expect(!SessionOptions(environment: ["WRISTWIRE_REACTIVATION": "silent"]).tellsReactivation)
    #expect(SessionOptions(environment: ["WRISTWIRE_CANCELLATION": "told"]).tellsCancellation)
  }

  @Test func `a switch over codes needs no more than codes`() {
    let error = thrown(SessionOptions())
    guard let error = error as? WCError else {
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
