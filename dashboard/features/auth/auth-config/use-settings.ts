import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { authConfig } from '#contract/auth/auth-config'
import type { AuthSettings } from '#contract/auth/auth-config-keys'
import { inProject, type Need } from '#contract/permissions'
import { queryClient, useCall } from '../../../api/client.ts'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useUnsaved } from '../../../session/identity/unsaved.tsx'
import { useProject } from '../../../session/project/project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { authConfigQuery } from './queries.ts'
import {
  type Caution,
  type FormValues,
  type SettingChanges,
  type SettingsGroup,
  closedBy,
} from './setting-field.ts'
import { changesOf, valuesOf, refusalsIn } from './settings-form.ts'

/** The endpoint itself asks for less: who may change the mail server only may call it, too. */
const changing: { needs: Need } = { needs: inProject('write:Update', 'custom_config_gotrue') }

type Options = SettingsGroup & {
  projectRef: string
  needs?: { needs: Need }
  onSaved?: () => void
  /** What the form holds besides its settings. */
  extra?: (config: AuthSettings) => FormValues
  /** What else is sent with a save, as what a field that went away leaves behind. */
  also?: (values: FormValues) => SettingChanges
}

/** A form of settings that are saved together: its values, what of it can be changed, and the saving. */
export function useSettings(options: Options) {
  const { projectRef, title, fields, caution, needs = changing, onSaved, also, extra } = options
  const project = useProject(projectRef)
  const reason = useDenials(project)(needs)
  const plan = useOrganization(project.organizationSlug).plan.id
  const hasPrices = !useSelfHosted()
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const begin = (from: AuthSettings): FormValues => ({
    ...valuesOf(from, fields),
    ...extra?.(from),
  })
  const form = useForm<FormValues>({ values: begin(config) })
  const { handleSubmit, reset, setError, control, formState } = form
  // Until the first change the watched values are those that the form began with.
  const values = { ...begin(config), ...useWatch({ control }) } as FormValues // none of them is undefined
  const shown = fields.filter((field) => field.shown?.(values) ?? true)
  const [asking, setAsking] = useState<{ changes: SettingChanges; caution: Caution }>()
  const [refused, setRefused] = useState<string>()
  useUnsaved(formState.isDirty)

  const save = useCall(authConfig.update, {
    onSuccess: (saved) => {
      setAsking(undefined)
      queryClient.setQueryData(authConfigQuery(projectRef).queryKey, saved)
      reset(begin(saved))
      toast.success(`${title} saved`)
      onSaved?.()
    },
    onError: ({ message }) => {
      setAsking(undefined)
      const found = refusalsIn(message, new Set(shown.map(({ key }) => key)))
      for (const [key, text] of found.fields) setError(key, { message: text })
      setRefused(found.rest)
    },
  })
  const send = (changes: SettingChanges) => save.mutate({ ref: projectRef, ...changes })

  return {
    form,
    config,
    values,
    shown,
    reason,
    plan,
    pending: save.isPending,
    /** What belongs to no field. */
    error: refused,
    dirty: formState.isDirty,
    asking,
    stopAsking: () => setAsking(undefined),
    agree: () => asking && send(asking.changes),
    submit: handleSubmit((typed) => {
      setRefused(undefined)
      // A field that cannot be changed is not sent, whatever the browser says that it holds.
      const open = shown.filter(({ key }) => !closedBy(key, plan))
      const changes = { ...changesOf(typed, config, open), ...also?.(typed) }
      const needed = caution?.(changes, { before: config, hasPrices })
      if (needed) setAsking({ changes, caution: needed })
      else send(changes)
    }),
    cancel: () => {
      reset(begin(config))
      setRefused(undefined)
    },
  }
}
export type SettingsForm = ReturnType<typeof useSettings>
