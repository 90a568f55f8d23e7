import { messageStates } from '#contract/integrations/queues'
import { oneOf, searchParams, text } from '../../../session/search-params.ts'

/** What the page of a queue keeps in its address; the message is the one that is shown in full. */
export const readQueueSearch = searchParams({
  tab: oneOf('settings'),
  state: oneOf(...messageStates),
  order: oneOf('newest'),
  message: text,
})
export type QueueSearch = {
  [Name in keyof ReturnType<typeof readQueueSearch>]?:
    | ReturnType<typeof readQueueSearch>[Name]
    | undefined
}
