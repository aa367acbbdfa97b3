import Console
import Link

/// The thread of meals, daily totals and the chat: what the user stores, when posts fail, what the server loses and gets back.
struct DailyChapter: StoryChapter {
  /// When posts began to fail; nil while they succeed.
  private var failingSince: VirtualTime?
  /// When the server lost its days; nil once it has them again.
  private var lostSince: VirtualTime?
  /// When fetches of workouts began to fail; nil while they succeed.
  private var fetchFailingSince: VirtualTime?
  private var hasProfile = false
  /// When the server lost the user's profile; nil once it has it again.
  private var profileLostSince: VirtualTime?
  /// Requests posted since the server lost its days.
  private var posted: Set<String> = []

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name {
    case MealLogged.name: addMeal(event, into: &lines)
    case MealRemoved.name:
      let day = TerminalText.escape(event["day"]?.text ?? "")
      add(event, .phone, "the user deletes a meal of \(day)", .quiet, into: &lines)
    case ChatWritten.name:
      // The history is stored at the start.
      guard event.time > .start else { return }
      let text = TerminalText.escape(event["text"]?.text ?? "")
      add(event, .phone, "the user writes in the chat: \(text)", .quiet, into: &lines)
    case ProfileExtracted.name:
      if !hasProfile, profileLostSince == nil {
        add(event, .edge, "extracts the user's profile from the chat", .quiet, into: &lines)
      }
      hasProfile = true
    case DaysPosted.name: if lostSince != nil, let id = event["id"]?.text { posted.insert(id) }
    case DaysSynced.name: addSync(event, into: &lines)
    case SyncFailed.name:
      guard failingSince == nil else { return }
      failingSince = event.time
      let why = TerminalText.escape(event["why"]?.text ?? "")
      add(event, .phone, "cannot post the daily totals: \(why); they stay pending", .trouble, into: &lines)
    case ServerRestarted.name: addRestart(event, into: &lines)
    case WorkoutsFetched.name: addFetch(event, into: &lines)
    case FetchFailed.name:
      guard fetchFailingSince == nil else { return }
      fetchFailingSince = event.time
      let why = TerminalText.escape(event["why"]?.text ?? "")
      add(event, .edge, "cannot fetch workouts from the external service: \(why)", .trouble, into: &lines)
    case FileDamaged.name:
      let file = TerminalText.escape(event["file"]?.text ?? "")
      if file == "context_store.json" { loseDays(at: event.time) }
      if file == "profile.json" { loseProfile(at: event.time) }
      add(event, .edge, "cannot read \(file) and starts without it", .trouble, into: &lines)
    default: break
    }
  }

  private func addMeal(_ event: TraceEvent, into lines: inout [StoryLine]) {
    // Meals from before the run are not reported.
    guard let eaten = event["eatenAt"]?.integer, eaten >= 0 else { return }
    let name = TerminalText.escape(event["name"]?.text ?? "")
    var text = "stores a meal: \(name), \(event["calories"]?.integer ?? 0) kcal"
    let ago = event.time - VirtualTime(nanoseconds: eaten)
    if ago >= .seconds(60) { text += ", eaten \(StoryText.length(ago)) ago" }
    add(event, .phone, text, .quiet, into: &lines)
  }

  private mutating func addSync(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event["pending"]?.integer == 0 else { return }
    if let since = profileLostSince, hasProfile, event["chatPending"]?.integer == 0 {
      profileLostSince = nil
      let after = StoryText.length(event.time - since)
      add(event, .edge, "has the user's profile again, \(after) after the loss", .relief, into: &lines)
    }
    if let since = lostSince, let id = event["id"]?.text, posted.contains(id) {
      lostSince = nil
      posted = []
      let after = StoryText.length(event.time - since)
      add(event, .edge, "has every day again, \(after) after the loss", .relief, into: &lines)
    }
    guard let since = failingSince else { return }
    failingSince = nil
    // A single failure that the next attempt repairs needs no second line.
    guard event.time - since >= .seconds(60) else { return }
    add(
      event, .phone, "posts the daily totals again, after \(StoryText.length(event.time - since))", .relief,
      into: &lines)
  }

  private mutating func addFetch(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let workouts = StoryText.count(Int(clamping: event["workouts"]?.integer ?? 0), "workout")
    if let since = fetchFailingSince {
      fetchFailingSince = nil
      let after = StoryText.length(event.time - since)
      return add(event, .edge, "fetches \(workouts) again, after \(after)", .relief, into: &lines)
    }
    // Later fetches bring a workout at most.
    guard event["since"] == nil else { return }
    add(event, .edge, "fetches all workouts from the external service: \(workouts)", .quiet, into: &lines)
  }

  private mutating func addRestart(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event["cause"]?.text {
    case "wipe":
      loseDays(at: event.time)
      loseProfile(at: event.time)
      add(event, .edge, "the server loses all its files and starts again", .trouble, into: &lines)
    case "powerLoss": add(event, .edge, "the server loses power: half of a file is missing", .trouble, into: &lines)
    default: add(event, .edge, "the server restarts", .quiet, into: &lines)
    }
  }

  private mutating func loseDays(at time: VirtualTime) {
    lostSince = time
    posted = []
  }

  private mutating func loseProfile(at time: VirtualTime) {
    guard hasProfile else { return }
    hasProfile = false
    profileLostSince = profileLostSince ?? time
  }

  private func add(
    _ event: TraceEvent, _ voice: StoryLine.Voice, _ text: String, _ tone: StoryLine.Tone,
    into lines: inout [StoryLine]
  ) {
    lines.append(StoryLine(time: event.time, voice: voice, text: text, tone: tone))
  }
}
