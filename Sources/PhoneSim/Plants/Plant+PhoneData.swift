package import Link

/// Plants in what the phone stores.
extension Plant {
  package static let schemaDrift = Plant(
    37, "schema-drift", in: [.phone],
    happened:
      "Watch and phone were of different builds; undecodable payloads were dropped silently.",
    wrong:
      "An undecodable payload is dropped without a trace event.",
    right:
      "It is recorded with its content, unknown kinds and versions by name; a queued one is set "
      + "aside.",
    caughtBy: ["undecodable-is-reported", "guaranteed-no-loss"])

  package static let halfFile = Plant(
    41, "half-file", in: [.phone],
    happened:
      "A voice note cut by a crash showed up as a playable file.",
    wrong:
      "After a start the app lists a partly received file as a note.",
    right:
      "File and row appear together or not at all; the transfer continues where it stopped.",
    caughtBy: ["voice-note-whole"])

  package static let queueJam = Plant(
    43, "queue-jam", in: [.phone],
    happened:
      "One payload that the receiver could not handle blocked every later event.",
    wrong:
      "An undecodable payload at its head blocks the queue.",
    right:
      "It is set aside and recorded, and the queue continues.",
    caughtBy: ["queues-drain"])

  package static let script502 = Plant(
    57, "script-502", in: [.phone],
    happened:
      "Script generation failed three times; not one kilometre was announced.",
    wrong:
      "After three failed attempts the run stays without a script.",
    right:
      "The personality's own script is loaded after the third, and requests to the edge continue: "
      + "positional lines always exist.",
    caughtBy: ["script-in-force"], sweptIn: "trust-coach")

  package static let purgedUnparsed = Plant(
    51, "purged-unparsed", in: [.phone],
    happened:
      "After an update of the system, weeks of data were missing: the cleanup had deleted rows that the parser "
      + "had refused.",
    wrong:
      "The purge deletes every row that is due, parsed or not.",
    right:
      "Only parsed rows are purged.",
    caughtBy: ["ingestion-purges-parsed"], sweptIn: "trust-ingestion")

  package static let stagedTwice = Plant(
    52, "staged-twice", in: [.phone],
    happened:
      "After a manual sync, every day was in the staging table twice.",
    wrong:
      "A day that is fetched again gets another row.",
    right:
      "A day that is fetched again replaces its row: upsert on source, type and start.",
    caughtBy: ["ingestion-upserts"], sweptIn: "trust-ingestion")

  package static let unreadableDone = Plant(
    53, "unreadable-done", in: [.phone],
    happened:
      "Data of the week in which the system changed its JSON never appeared, even after the app was fixed.",
    wrong:
      "A row that does not parse counts as done.",
    right:
      "It stays unparsed with its reason, and the updated app parses it again.",
    caughtBy: ["ingestion-keeps-failures"], sweptIn: "trust-ingestion")

  package static let doubleMeasured = Plant(
    54, "double-measured", in: [.phone],
    happened:
      "After raw data was purged and fetched again, the user had slept for 15 hours.",
    wrong:
      "Measures of a row are added to those of its day.",
    right:
      "They replace those of their type in the day's action.",
    caughtBy: ["ingestion-refetch-same"], sweptIn: "trust-ingestion")

  package static let parseBlocksFetch = Plant(
    55, "parse-blocks-fetch", in: [.phone],
    happened:
      "The first sync of a year of data took minutes, because each answer was parsed before the next query.",
    wrong:
      "The next query waits until everything that was fetched is parsed.",
    right:
      "Queries follow at once; parsing has a timer of its own.",
    caughtBy: ["ingestion-fetch-flows"], sweptIn: "trust-ingestion")

  package static let markedEarly = Plant(
    60, "marked-early", in: [.phone],
    happened:
      "After an evening without signal, the server never got that day.",
    wrong:
      "A day counts as synchronised once it is posted.",
    right:
      "It counts when the server's answer confirms its revision.",
    caughtBy: ["sync-complete"], sweptIn: "trust-aggregates")

  package static let remembersWiped = Plant(
    61, "remembers-wiped", in: [.phone],
    happened:
      "The server got a new memory card, and the months before it never came back.",
    wrong:
      "What was confirmed once stays confirmed, whatever store the server has.",
    right:
      "If the answer names another store, every day is posted again.",
    caughtBy: ["wiped-server-whole", "sync-complete"], sweptIn: "trust-aggregates")

  package static let utcDays = Plant(
    62, "utc-days", in: [.phone],
    happened:
      "A late dinner in New York counted as breakfast of the next day.",
    wrong:
      "A meal belongs to the day in UTC.",
    right:
      "It belongs to the user's local day, by the offset in force when it was eaten.",
    caughtBy: ["local-days"], sweptIn: "trust-aggregates")

  package static let chatOnce = Plant(
    7, "chat-once", in: [.phone],
    happened:
      "The server got a new memory card, and from then on the assistant knew neither the user's name nor her bad knee.",
    wrong:
      "A chat message that was posted once is never posted again.",
    right:
      "Each answer says up to which message the server has read the chat, and the phone posts the rest.",
    caughtBy: ["profile-rebuilt"], sweptIn: "trust-aggregates")

  package static let watchdogKill = Plant(
    11, "watchdog-kill", in: [.phone],
    happened:
      "The system killed apps that had not finished a background delivery within its 15 s "
      + "(github.com/home-assistant/iOS/issues/1191); what they had been handed did not come again.",
    wrong:
      "A queued event is marked as handled in a transaction of its own, before its effects are stored.",
    right:
      "The effects of an event and its handled mark are one transaction: an app that is killed gets it "
      + "again.",
    caughtBy: ["end-finishes-run", "belief-is-newest"],
    sweptIn: "trust-runs")

  package static let noteAcknowledgedEarly = Plant(
    63, "note-acknowledged-early", in: [.phone],
    happened:
      "The phone confirmed a recording when its file was in the inbox, the watch deleted its copy, and "
      + "a phone that failed before the import had lost it (github.com/fastrepl/anarlog/pull/6355).",
    wrong:
      "A voice note counts as handled before its row is stored.",
    right:
      "The row of a note and the handled mark of its file are one transaction.",
    caughtBy: ["queues-drain", "voice-note-whole"])

  package static let sessionTwice = Plant(
    12, "session-twice", in: [.phone],
    happened:
      "Every swim was in the training history twice, and the month's distance was twice what was swum.",
    wrong:
      "The app stores the watch's report, and stores the session again when the workout is finished.",
    right:
      "A session has the workout's identifier: whatever reports it, it is stored once.",
    caughtBy: ["session-once"], sweptIn: "trust-training")

  package static let staleScore = Plant(
    13, "stale-score", in: [.phone],
    happened:
      "A shot was corrected after a protest, and the competition went on showing the old score.",
    wrong:
      "A competition copies the score when a session is stored, and does not look at it again.",
    right:
      "The stored score is a cache of the linked session, and is computed again with every change of it.",
    caughtBy: ["score-follows-session"], sweptIn: "trust-training")

  package static let arrivalWins = Plant(
    14, "arrival-wins", in: [.phone],
    happened:
      "A shot was corrected on the phone and on the tablet in the same minute, and each went on showing the other's score.",
    wrong:
      "A phone takes what the cloud delivers as the row, whenever it was written.",
    right:
      "Each column has the stamp of its change, and the greater one wins on every phone.",
    caughtBy: ["stores-converge"], sweptIn: "two-phones")

  package static let twinRows = Plant(
    15, "twin-rows", in: [.phone],
    happened:
      "After a bad connection every photo and every session of the week was there twice.",
    wrong:
      "A phone stores each delivered copy as a new row, and no column is unique that would prevent it.",
    right:
      "A row has one identifier on all phones, and a copy that says nothing new changes nothing.",
    caughtBy: ["row-once", "stores-converge"], sweptIn: "two-phones")

  package static let scoreLeftBehind = Plant(
    26, "score-left-behind", in: [.phone],
    happened:
      "A score was corrected on the trainer's phone: the athlete's showed the corrected shots, and the old result.",
    wrong:
      "A phone refreshes the cached result when its own user changes the session, and not when rows arrive.",
    right:
      "What depends on a session is computed again after every merge that changed it.",
    caughtBy: ["score-follows-session", "stores-converge"], sweptIn: "two-phones")

  package static let rowlessRun = Plant(
    65, "rowless-run", in: [.phone],
    happened:
      "A run whose last snapshot overtook the end of the run before it was missing in the list of this simulator's "
      + "own phone, though its start and its end had arrived.",
    wrong:
      "The start and the end of a workout that was refused once are dropped.",
    right:
      "A start or an end that arrives always leaves a row, whether the phone believed in the run or not.",
    caughtBy: ["run-has-row"],
    sweptIn: "trust-belief")

  package static let nightCut = Plant(
    70, "night-cut", in: [.phone],
    happened:
      "After weeks of syncs at half past one in the night, every night had two hours of sleep.",
    wrong:
      "A night that was fetched while it lasted is never fetched again.",
    right:
      "A day that was not over when it was fetched is fetched again by the next sync.",
    caughtBy: ["ingestion-whole-nights"], sweptIn: "field/night-cut")

  package static let lastPartLost = Plant(
    79, "last-part-lost", in: [.phone],
    happened:
      "Rides of more than half an hour had no gaits in the app, although their distance and time were right.",
    wrong:
      "The phone stores a session with the units of all parts of its report but the last.",
    right:
      "A session is stored with the units of all parts.",
    caughtBy: ["truth-runs"], sweptIn: "athlete")

  package static let secondAthlete = Plant(
    72, "second-athlete", in: [.phone],
    happened:
      "On one day the posted totals said 755 kcal and 8.2 hours of sleep, the app's own screen 2,973 kcal and 4.6 hours.",
    wrong:
      "The daily totals are those of another athlete, without the workouts of the watch.",
    right:
      "Every part of the app reads one health store.",
    caughtBy: ["health-agrees"], sweptIn: "field/second-athlete")
}
