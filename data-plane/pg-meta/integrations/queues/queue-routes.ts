import type { Endpoint, Output, Parsed } from '#contract/endpoint'
import { queues } from '#contract/integrations/queues'
import type { Queryable } from '../../queryable.ts'
import { answer, type MetaRoute, type UseSession } from '../../routes.ts'
import {
  createQueue,
  dropQueue,
  grantOnQueue,
  purgeQueue,
  secureQueue,
  withShortWait,
} from './queue-changes.ts'
import { getQueue, listQueues } from './queue-facts.ts'
import { setFunctions } from './queue-functions.ts'
import {
  archiveMessages,
  getMessage,
  listMessages,
  moveMessages,
  postponeMessages,
  removeMessages,
  restoreMessages,
  sendMessage,
} from './queue-messages.ts'

/** Queues of messages (pgmq), looked at and changed as the caller's own login: what that may not do, nobody does for it. */
export function queueRoutes(read: UseSession, write: UseSession): MetaRoute[] {
  const change = <E extends Endpoint>(
    endpoint: E,
    work: (db: Queryable, input: Parsed<E>) => Promise<Output<E>>,
  ) => answer(write, endpoint, (db, input) => withShortWait(db, () => work(db, input)))
  return [
    answer(read, queues.list, listQueues),
    answer(read, queues.get, getQueue),
    answer(read, queues.messages, listMessages),
    answer(read, queues.message, getMessage),
    change(queues.create, createQueue),
    change(queues.drop, dropQueue),
    change(queues.purge, purgeQueue),
    change(queues.secure, secureQueue),
    change(queues.grant, grantOnQueue),
    change(queues.functions, setFunctions),
    change(queues.send, sendMessage),
    change(queues.postpone, postponeMessages),
    change(queues.archive, archiveMessages),
    change(queues.move, moveMessages),
    change(queues.restore, restoreMessages),
    change(queues.remove, removeMessages),
  ]
}
