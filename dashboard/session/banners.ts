import { queryOptions } from '@tanstack/react-query'
import { create } from 'zustand'
import { banners as api } from '#contract/operations/banners'
import { overdue } from '#contract/billing/billing-overdue'
import { fresh, q } from '../api/client.ts'

/** What the operator says; asked for again every minute. */
export const operatorBannersQuery = queryOptions({
  ...q(api.current, {}),
  refetchInterval: 60_000,
})

/** Cached 30 minutes (requirements §9). */
export const overdueQuery = q(overdue, {}, fresh.organizations)

/** Keys of the notices that were dismissed in this browser. */
const useDismissed = create<Record<string, boolean>>()(() => ({}))

/** Whether a notice was read before: the string true under its key (requirements §4), looked at once and then kept. */
export const useAcknowledged = (key: string | undefined): boolean =>
  useDismissed((known) => key !== undefined && known[key] === true) ||
  (key !== undefined && localStorage.getItem(key) === 'true')

/** There is no way back. */
export function acknowledge(key: string): void {
  localStorage.setItem(key, 'true')
  useDismissed.setState({ [key]: true })
}
