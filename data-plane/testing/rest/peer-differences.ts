import { isDeepStrictEqual } from 'node:util'
import type { PeerRequest } from './peer-requests.ts'
import type { Reply } from './client.ts'

/** One thing in which two answers to the same request are not the same. */
export type Difference = {
  asked: PeerRequest
  /** `status`, `body`, or the name of a header. */
  part: string
  ours: unknown
  theirs: unknown
}

/** Headers of the protocol. */
const headers = [
  'content-type',
  'content-range',
  'content-location',
  'location',
  'preference-applied',
  'content-profile',
  'allow',
  'www-authenticate',
  'x-made',
  'cache-control',
]

export function differencesOf(asked: PeerRequest, ours: Reply, theirs: Reply): Difference[] {
  const found: Difference[] = []
  const compare = (part: string, a: unknown, b: unknown) => {
    if (!isDeepStrictEqual(a, b)) found.push({ asked, part, ours: a, theirs: b })
  }
  compare('status', ours.status, theirs.status)
  compare('body', ours.json ?? ours.text, theirs.json ?? theirs.text)
  for (const name of headers) compare(name, ours.headers.get(name), theirs.headers.get(name))
  return found
}
