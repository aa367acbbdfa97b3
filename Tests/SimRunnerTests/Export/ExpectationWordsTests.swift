import Console
import Link
import Testing

@testable import TraceTools

/// Expectations as a report says them.
@Suite struct ExpectationWordsTests {
  @Test(arguments: [
    (
      #"{"event":"liveness.disconnected","within":"10s","after":{"event":"link.down"}}"#,
      "Within 10 s after the link is cut, the phone says that the watch is silent"
    ),
    (
      #"{"event":"run.history","between":["5m30s","6m10s"],"where":{"kind":"workoutPaused"}}"#,
      "The phone files a late message as history (kind workoutPaused) between 5:30 and 6:10"
    ),
    (
      #"{"count":"run.state","exactly":1,"where":{"to":"paused"}}"#,
      "Exactly once, the phone believes that the run is paused"
    ),
    (
      #"{"count":"script.dispatch","atLeast":4,"atMost":12}"#,
      "At least 4 times and at most 12 times, a line of the script is due"
    ),
    (
      #"{"never":"script.expired","where":{"message":"finish"}}"#,
      "It never happens that the line “finish” comes too late to be spoken"
    ),
    (
      #"{"never":"app.spoke","after":{"event":"app.ended"},"for":"29s"}"#,
      "It never happens that the app reports “spoke” after the app reports “ended”, for 29 s"
    ),
    (
      #"{"always":"snapshot.fresh","have":{"hr":{"atMost":220}},"rises":"seq","each":["epoch"]}"#,
      "Whenever the phone hears a fresh snapshot, hr is at most 220, and seq rises for each epoch"
    ),
    (
      #"{"onlyAfter":"app.ended","act":"stop","once":true}"#,
      "Only after a user's “stop”, the app reports “ended”, once for each"
    ),
    (
      #"{"agrees":"app.summary","field":"distance","with":"truth.workout.distance","within":"1 %"}"#,
      "At the end, distance of “app.summary” agrees with truth workout distance, within 1 %"
    ),
    (
      #"{"dispatched":["km1","finish"]}"#,
      "The coach gets exactly these lines to speak, in this order: km1, finish"
    ),
    (
      #"{"never":"reachability","where":{"node":"watch","reachable":false}}"#,
      "It never happens that the watch sees the other as unreachable"
    ),
    (
      #"{"count":"uplink.reachability","exactly":1,"where":{"node":"phone"}}"#,
      "Exactly once, “uplink.reachability” happens on the phone"
    ),
  ])
  func `an expectation is a sentence`(json: String, expected: String) throws {
    #expect(ExpectationWords.text(try JSONParser.parse(Array(json.utf8), dialect: .json)) == expected)
  }

  @Test func `what is no expectation has no words`() throws {
    for json in ["{}", "[]", #"{"other":1}"#, "3"] {
      #expect(ExpectationWords.text(try JSONParser.parse(Array(json.utf8), dialect: .json)) == nil, "\(json)")
    }
  }
}
