import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataApi } from '#contract/data-api/data-api'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useUnsaved } from '../../../session/identity/unsaved.tsx'
import { useProject } from '../../../session/project/project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import {
  changesOf,
  problemsIn,
  refusalIn,
  valuesOf,
  type DataApiField,
  type DataApiValues,
} from './data-api-values.ts'
import { dataApiQuery } from './queries.ts'

/** The form of the data API's settings, its saving, and the question before it is switched off. */
export function useDataApi(projectRef: string) {
  const { data: settings } = useSuspenseQuery(dataApiQuery(projectRef))
  const reason = useDenials(useProject(projectRef))(dataApi.updateConfig)
  // What was changed here; everything else is as it is saved, also when somebody else saves meanwhile.
  const [typed, setTyped] = useState<Partial<DataApiValues>>({})
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const values = { ...valuesOf(settings), ...typed }
  const changes = changesOf(values, settings)
  const problems = problemsIn(values)
  const dirty = Object.keys(changes).length > 0 || Object.keys(problems).length > 0
  useUnsaved(dirty)
  const save = useCall(dataApi.updateConfig, {
    onSuccess: (saved) => {
      queryClient.setQueryData(dataApiQuery(projectRef).queryKey, saved)
      setTyped({})
      setTried(false)
      toast.success('Data API saved')
    },
    onSettled: () => setAsking(false),
  })
  const refused = save.error ? refusalIn(save.error.message) : undefined
  const errors: Partial<Record<DataApiField, string>> = {
    ...(refused?.field && { [refused.field]: refused.text }),
    ...(tried && problems),
  }
  const send = () => save.mutate({ ref: projectRef, ...changes })
  return {
    values,
    errors,
    error: refused && !refused.field ? refused.text : undefined,
    dirty,
    pending: save.isPending,
    reason,
    change: (part: Partial<DataApiValues>) => setTyped((before) => ({ ...before, ...part })),
    cancel: () => {
      setTyped({})
      setTried(false)
      save.reset()
    },
    submit: () => {
      setTried(true)
      if (Object.keys(problems).length > 0) return
      if (changes.db_schema === '') setAsking(true)
      else send()
    },
    asking,
    stopAsking: () => setAsking(false),
    agree: send,
  }
}
export type DataApiForm = ReturnType<typeof useDataApi>
