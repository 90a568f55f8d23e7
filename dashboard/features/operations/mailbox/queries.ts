import { queryOptions } from '@tanstack/react-query'
import { mailbox } from '#contract/operations/mailbox'
import { q } from '../../../api/client.ts'

export const mailsQuery = queryOptions(q(mailbox.list, {}, 0))
