import { useMutation } from '@tanstack/react-query'
import { api } from '#contract/api'
import { call, type CallError, forget } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetBackups } from './queries.ts'

export const setAddOn = api.billing.setAddOn
export const removeAddOn = api.billing.removeAddOn

type Options = { done: string; onDone: () => void }

/** Switches point in time recovery on, or to other days; the mutation takes the variant. */
export const useSetRecovery = (ref: string, options: Options) =>
  useChange(
    (variant) => call(setAddOn, { ref, addon_type: 'pitr', addon_variant: variant }),
    options,
  )

export const useEndRecovery = (ref: string, options: Options) =>
  useChange((variant) => call(removeAddOn, { ref, addon_variant: variant }), options)

const useChange = (change: (variant: string) => Promise<unknown>, { done, onDone }: Options) =>
  useMutation<unknown, CallError, string>({
    mutationFn: change,
    onSuccess: async () => {
      onDone()
      toast.success(done)
      // It is a line of the next invoice as well, and the database restarts.
      await Promise.all([
        forgetBackups(),
        forget(
          api.billing.projectAddOns,
          api.billing.subscription,
          api.billing.invoiceUpcoming,
          api.projects.detail,
        ),
      ])
    },
  })
