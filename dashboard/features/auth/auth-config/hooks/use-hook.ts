import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#contract/api'
import { inProject } from '#contract/permissions'
import { queryClient, useCall } from '../../../../api/client.ts'
import { useOrganization } from '../../../../session/organization/organizations.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/use-project.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { closedBy } from '../closed.ts'
import { changesOfHook, draftOf, problemsOf, withoutHook, type HookDraft } from './hook-draft.ts'
import type { Hook } from './hooks.ts'
import { authConfigQuery } from '../queries.ts'
import { refusalsIn } from '../refusals.ts'

/** Hooks are made by more people than may change the rest (facts §2.4). */
const changing = { needs: inProject('write:Create', 'custom_config_gotrue.hooks') }

/** The draft of one hook, what is wrong with it, and its saving and removal. */
export function useHook(projectRef: string, hook: Hook, onDone: () => void) {
  const project = useProject(projectRef)
  const reason = useDenials(project)(changing)
  const plan = useOrganization(project.organizationSlug).plan.id
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const closed = closedBy(hook.enabled, plan)
  const isThere = config[hook.uri] !== ''
  const stored = draftOf(config, hook)
  // What nobody can switch on begins switched off.
  const begin = closed ? { ...stored, enabled: config[hook.enabled] === true } : stored
  const [draft, setDraft] = useState(begin)
  const [tried, setTried] = useState(false)
  const problems = problemsOf(draft, config[hook.secrets] !== '')

  const call = useCall(api.authConfig.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(authConfigQuery(projectRef).queryKey, saved)
      toast.success(saved[hook.uri] === '' ? `${hook.title} deleted` : `${hook.title} saved`)
      onDone()
    },
  })
  const refused = call.error
    ? refusalsIn(call.error.message, new Set([hook.uri, hook.secrets]))
    : undefined
  const ofUri = refused?.fields.get(hook.uri)

  return {
    config,
    draft,
    change: (part: Partial<HookDraft>) => setDraft((before) => ({ ...before, ...part })),
    /** By field: what is missing once somebody tried to save, and what the server refused. */
    errors: {
      ...(ofUri && { name: ofUri, url: ofUri }),
      ...(refused?.fields.has(hook.secrets) && { secret: refused.fields.get(hook.secrets) }),
      ...(tried && problems),
    },
    error: refused?.rest,
    reason,
    closed,
    isThere,
    locked: reason !== undefined,
    slug: project.organizationSlug,
    dirty: JSON.stringify(draft) !== JSON.stringify(begin),
    pending: call.isPending,
    submit: () => {
      setTried(true)
      if (Object.keys(problems).length > 0) return
      call.mutate({ ref: projectRef, ...changesOfHook(hook, draft) })
    },
    remove: () => call.mutate({ ref: projectRef, ...withoutHook(hook) }),
    cancel: () => {
      setDraft(begin)
      setTried(false)
      call.reset()
    },
  }
}
export type HookForm = ReturnType<typeof useHook>
