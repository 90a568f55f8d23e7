import type { RunEvent } from '#contract/database/sql/sql-query'

/** Results and notices of a file that are reported one by one; all others are counted. */
const maxResults = 200
const maxNotices = 1000
/** Milliseconds between two words on how far it is. */
const betweenMs = 250

type Send = (event: RunEvent) => boolean

/** Tells of a file with a million statements what somebody can look at: the first results, how far it is, what failed. */
export function createFileEvents(send: Send): Send {
  let statements = 0
  let notices = 0
  let reportedAt = performance.now()
  /** Of what was reported, the statement itself. */
  let open: Extract<RunEvent, { type: 'statement' }> | undefined
  const results = new Set<number>()

  /** Whether the result of this statement is reported, which begins with the statement. */
  function isReported(index: number, always = false): boolean {
    if (results.has(index)) return true
    if (results.size >= maxResults && !always) return false
    results.add(index)
    if (open?.index === index) send(open)
    return true
  }
  const progress = () => {
    reportedAt = performance.now()
    return send({ type: 'progress', statements })
  }
  // Whoever sends the file begins when the answer begins.
  progress()
  return (event) => {
    switch (event.type) {
      case 'statement':
        open = event
        return performance.now() - reportedAt > betweenMs ? progress() : true
      case 'notice':
        notices += 1
        return notices > maxNotices ? true : send(event)
      case 'done':
        statements += 1
        return isReported(event.index) ? send(event) : true
      case 'error':
        return isReported(event.index, true) ? send(event) : true
      case 'fields':
      case 'rows':
      case 'copy':
        return isReported(event.index) ? send(event) : true
      case 'progress':
        return send(event)
      case 'end':
        progress()
        return send(event)
      default:
        return event satisfies never
    }
  }
}
