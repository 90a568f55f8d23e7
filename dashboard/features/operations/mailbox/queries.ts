import { queryOptions } from '@tanstack/react-query'
import { api } from '#contract/api'
import { q } from '../../../api/client.ts'

export const mailsQuery = queryOptions(q(api.mailbox.list, {}, 0))
