package import Link

extension Plant {
  /// The plants of the server.
  package static let edge: [Plant] = [
    addedUp,
    versionsKept,
    alwaysWritten,
    halfTrusted,
    fetchedSince,
    weekWithToday,
  ]

  package static let addedUp = Plant(
    29, "added-up", in: [.edge],
    happened:
      "After a bad connection, the server showed twice the calories.",
    wrong:
      "What is posted again is added to the day's totals.",
    right:
      "A day's snapshot is replaced, and only by a later revision.",
    caughtBy: ["sync-idempotent", "sync-complete"], sweptIn: "trust-aggregates")

  package static let versionsKept = Plant(
    30, "versions-kept", in: [.edge],
    happened:
      "The context store grew to 200 MB in a year, and the server ran out of memory.",
    wrong:
      "Each day keeps all its earlier versions.",
    right:
      "A day has one snapshot, of at most 3 KB.",
    caughtBy: ["day-size", "sync-complete"], sweptIn: "trust-aggregates")

  package static let alwaysWritten = Plant(
    31, "always-written", in: [.edge],
    happened:
      "The memory card died after eight months of a write every quarter of an hour.",
    wrong:
      "The file is written at each sync.",
    right:
      "It is written only if its content changed.",
    caughtBy: ["few-writes"], sweptIn: "trust-aggregates")

  package static let halfTrusted = Plant(
    27, "half-trusted", in: [.edge],
    happened:
      "After a power loss the server went on with a half-written file: most days were missing, and stayed so.",
    wrong:
      "The identifier is read from the half file, so that the phone believes the store to be whole.",
    right:
      "A file that cannot be read as a whole is left out: a new store, which the phone fills.",
    caughtBy: ["wiped-server-whole", "sync-complete"], sweptIn: "trust-aggregates")

  package static let fetchedSince = Plant(
    25, "fetched-since", in: [.edge],
    happened:
      "After the server's files were lost, the workouts of the last week came back, and those of the years before did not.",
    wrong:
      "The newest day that was ever fetched is remembered apart from the workouts, and outlives them.",
    right:
      "What was fetched is known from the store alone: an empty one gets everything.",
    caughtBy: ["server-rebuilt"], sweptIn: "day-nemesis")

  package static let weekWithToday = Plant(
    86, "week-with-today", in: [.edge],
    happened:
      "Each morning the coach said that its user ate and walked less than in the week before.",
    wrong:
      "The averages of a week have the day that is still going on.",
    right:
      "They have the last seven days that are over.",
    caughtBy: ["truth-totals"], sweptIn: "athlete")
}
