import Console
import Link
import Simulator
import TraceTools

extension PairSession: PageSource {
  package func file(_ name: String) -> (type: String, bytes: [UInt8])? { PairPage.file(name) }

  package func act(_ body: [UInt8]) -> (isRefused: Bool, answer: [UInt8]) {
    do {
      let said = try perform(try PageAct(body))
      return (false, JSONWriter.compact(JSONNode(.fields(["said": .string(said)]))))
    } catch {
      let text = error.text
      return (true, JSONWriter.compact(JSONNode(.fields(["error": .string(text)]))))
    }
  }

  package func parts() -> [(name: String, json: [UInt8])] {
    var parts = [("time", timeJSON)]
    for (index, lane) in lanes.enumerated() {
      let state = lane.state
      parts += [
        ("run.\(index)", runJSON(lane)), ("bands.\(index)", bandsJSON(lane)), ("truth.\(index)", state.truthJSON),
        ("watch.\(index)", state.watchJSON), ("phone.\(index)", state.phoneJSON),
        ("link.\(index)", state.linkJSON(lane.timeline.names, end: lane.timeline.end(ofFrame:))),
        ("story.\(index)", storyJSON(lane)),
        ("history.\(index)", state.historyJSON), ("training.\(index)", state.trainingJSON),
        ("health.\(index)", state.healthJSON), ("meals.\(index)", state.mealsJSON),
      ]
      if state.apps.contains(where: { !$0.log.isEmpty || $0.crash != nil }) || lane.hasApps {
        parts += [
          ("app.watch.\(index)", state.appJSON(0, crash: lane.crash(of: .watch, at: now))),
          ("app.phone.\(index)", state.appJSON(1, crash: lane.crash(of: .phone, at: now))),
        ]
      }
    }
    return parts.map { ($0.0, JSONWriter.compact(JSONNode($0.1))) }
  }

  private var timeJSON: JSONValue {
    .fields([
      "t": .time(now), "playing": .bool(isPlaying), "speed": speed.map { .decimal($0) } ?? .null,
      "lanes": .count(lanes.count), "ready": .bool(lanes.allSatisfy(\.isReady)), "notice": .string(notice),
      "made": .time(lanes.map { $0.timeline.end }.max() ?? .start),
      "difference": difference.map { .fields(["at": .time($0.at), "texts": .texts($0.texts)]) } ?? .null,
    ])
  }

  private func runJSON(_ lane: PairLane) -> JSONValue {
    let own: JSONFields = [
      "title": .string(lane.title), "version": .count(lane.version),
      "about": .string(lane.document?.scenario.about ?? ""),
      "recorded": .bool(lane.isRecorded), "stores": .objects(lane.stores.map { $0.members }),
      "complete": .bool(lane.timeline.isComplete),
      "acts": .objects(lane.acts) { act in
        ["on": .string(act.role), "do": .string(act.name), "with": act.arguments]
      },
      "end": .time(lane.timeline.end), "count": .count(lane.timeline.events.count),
      "verdict": lane.timeline.verdict.map { .string($0) } ?? lane.ending.map { .string($0.verdict) } ?? .null,
      "failure": .text(lane.ending?.failure), "digest": .text(lane.ending?.digest),
      "changedPast": .bool(lane.hasChangedPast),
      "findings": .objects(lane.timeline.findings.prefix(12)) { finding in
        ["at": .time(finding.at), "invariant": .string(finding.invariant), "detail": .string(finding.detail)]
      },
      "touches": .objects(lane.document?.touches.suffix(12) ?? []) { ["at": .time($0.at), "text": .string($0.text)] },
      "touchCount": .count(lane.document?.touches.count ?? 0),
    ]
    return .object([JSONMember](own) + PairRun.members(lane.timeline.header, at: now))
  }

  private func storyJSON(_ lane: PairLane) -> JSONValue {
    .objects(lane.timeline.sentences(upTo: now, most: 40)) { line in
      [
        "at": .time(line.time), "who": .string(line.voice.rawValue), "text": .string(TerminalText.escape(line.text)),
        "tone": .string("\(line.tone)"),
      ]
    }
  }

  /// The whole run at a glance: what lasts, and both distances.
  private func bandsJSON(_ lane: PairLane) -> JSONValue { lane.overview.json(of: lane.timeline, version: lane.version) }
}

/// The overview of a run, which is made again only when the run has grown.
package final class RunOverview {
  private var made: (version: Int, events: Int, isComplete: Bool, json: JSONValue)?
  private var madeAt = ContinuousClock.now
  /// Points of each curve.
  private static let points = 600

  package init() {}

  func json(of timeline: PairTimeline, version: Int) -> JSONValue {
    if let made, made.version == version {
      let isSame = made.events == timeline.events.count && made.isComplete == timeline.isComplete
      // While the run is made, half a second is soon enough.
      if isSame || !timeline.isComplete && madeAt.duration(to: .now) < .milliseconds(500) { return made.json }
    }
    let json = Self.json(of: timeline)
    made = (version, timeline.events.count, timeline.isComplete, json)
    madeAt = .now
    return json
  }

  private static func json(of timeline: PairTimeline) -> JSONValue {
    .fields([
      "end": .time(timeline.end),
      "bands": .objects(timeline.bands) { band in
        [
          "row": .count(band.row.rawValue), "from": .time(band.begin), "to": band.end.map { .time($0) } ?? .null,
          "label": .string(band.label), "tone": .string("\(band.tone)"),
        ]
      },
      "samples": .array(
        spread(timeline.samples).map { sample in
          JSONNode(
            .array([
              JSONNode(.time(sample.at)), JSONNode(.decimal(sample.truth)), JSONNode(.decimal(sample.belief)),
            ]))
        }),
    ])
  }

  /// The samples, thinned to an even number over the run.
  private static func spread(_ samples: [PairTimeline.Sample]) -> [PairTimeline.Sample] {
    guard samples.count > points else { return samples }
    return (0..<points).map { samples[$0 * (samples.count - 1) / (points - 1)] }
  }
}

extension PairLane {
  var hasApps: Bool { isApp(.watch) || isApp(.phone) }

  /// Whether an app of the user's own plays a device.
  func isApp(_ role: NodeRole) -> Bool { ProgramsHeader.isApp(role, in: timeline.header) }

  /// The last lines of an app that has ended by itself until an instant, with its backtrace; nil if it has not.
  func crash(of role: NodeRole, at time: VirtualTime) -> String? {
    guard let crash = ending?.crash, crash.role == role, crash.at <= time else { return nil }
    return crash.lines.joined(separator: "\n")
  }

  /// The scenario's distinct acts, as buttons.
  var acts: [(role: String, name: String, arguments: JSONValue?)] {
    guard let scenario = document?.scenario else { return [] }
    var acts: [TimedAct] = []
    for act in scenario.acts where acts.count < 24 && !acts.contains(where: { $0.isSame(as: act) }) { acts.append(act) }
    return acts.map { ($0.words[1], $0.words[2], $0.argumentValue) }
  }
}
