import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { pair } from './pairs.ts'
import { functionsQuery } from './queries.ts'
import { ServiceKey } from './ServiceKey.tsx'
import type { FieldsProps } from './WebhookFields.tsx'

/** Chooses one of the project's edge functions. */
export function FunctionChoice({ projectRef, draft, problems, change }: FieldsProps) {
  const { data, error } = useQuery(functionsQuery(projectRef))
  const chosen = data?.find(({ slug }) => slug === draft.slug)
  const gone = data !== undefined && draft.slug !== '' && !chosen
  const options = (data ?? []).map(({ slug, name }) => ({
    value: slug,
    label: slug,
    detail: name === slug ? undefined : name,
  }))
  const hasToken = draft.headers.some(({ name }) => name.trim().toLowerCase() === 'authorization')
  return (
    <>
      <SelectField
        label="Edge function"
        // One that is not listed is kept and shown.
        options={
          draft.slug === '' || chosen
            ? options
            : [{ value: draft.slug, label: draft.slug }, ...options]
        }
        value={draft.slug === '' ? undefined : draft.slug}
        error={problems.slug ?? error?.message}
        help={
          gone
            ? 'This project has no function with this name: calls return 404.'
            : data?.length === 0
              ? 'This project has no functions yet. Create one on the Edge functions page.'
              : undefined
        }
        onChange={(slug) => change({ slug })}
      />
      {chosen?.verify_jwt && !hasToken && (
        <ServiceKey
          projectRef={projectRef}
          onKey={(key) =>
            change({ headers: [...draft.headers, pair('Authorization', `Bearer ${key}`)] })
          }
        />
      )}
    </>
  )
}
