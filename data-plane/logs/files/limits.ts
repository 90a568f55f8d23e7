/** What the store may use, and how long it waits. Bytes, milliseconds and counts. */
export const defaultLimits = {
  /** Bytes of lines in one file: reading them unpacked costs 8 ms a megabyte. */
  segmentBytes: 8 * 1024 ** 2,
  /** Characters that wait to be written: of one project, and of all of them. */
  waitingOfProject: 2 * 1024 ** 2,
  waiting: 64 * 1024 ** 2,
  /** Milliseconds between two lines that say that entries were lost, unless somebody asks. */
  lostEveryMs: 10_000,
  /** Milliseconds without a line after which a file is closed; it goes on later. */
  closeAfterMs: 10_000,
  /** Milliseconds between two rounds of sealing, packing and removing. */
  roundMs: 60_000,
  /** Sealed lines are packed when they are so many, or so old. */
  packBytes: 64 * 1024 ** 2,
  packAfterMs: 15 * 60_000,
  /** Lines of one project that are packed when somebody asks for its logs anyway. */
  packAskedBytes: 8 * 1024 ** 2,
  /** Bytes of lines that become one packed file: two that were full. */
  packInto: 20 * 1024 ** 2,
  /** Packed files of a day; when there are more they are merged. */
  filesOfDay: 16,
  /** Bytes of all projects' logs; those that have most give way first. */
  maxBytes: 20 * 1024 ** 3,
  /** Questions at a time, those that wait, and those that wait of one project. */
  running: 2,
  waitingQuestions: 64,
  waitingQuestionsOfProject: 8,
  /** Readers that are up at a time, the resting ones included. */
  readers: 4,
  /** Milliseconds of one question; it is told to stop then, and its reader is killed when it does not within the grace. */
  questionMs: 10_000,
  graceMs: 2000,
  /** Milliseconds in which a reader has to be up, and those without a question after which it ends. */
  bootMs: 30_000,
  restMs: 30_000,
  /** Milliseconds of one packing. */
  packMs: 120_000,
  /** Milliseconds until files are packed again that could not be. */
  leaveMs: 60 * 60_000,
  /** Megabytes of the engine itself, and of the whole process that runs it. */
  readerMb: 256,
  packerMb: 128,
  processMb: 512,
  /** Rows of one answer to a question in SQL. */
  queryRows: 1000,
  /** Bytes of one answer. */
  answerBytes: 10 * 1024 ** 2,
  /** Milliseconds that whoever follows a log is behind: entries of other processes arrive late by some hundred. */
  followMs: 1000,
}
export type LogLimits = typeof defaultLimits
