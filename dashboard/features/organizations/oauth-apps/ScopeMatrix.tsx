import { type Control, useController } from 'react-hook-form'
import { oauthScopeAreas, type OAuthScope } from '#contract/organizations/oauth-scopes'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import type { AppValues } from './app-values.ts'
import { areaWords } from './scope-words.ts'

const kinds = ['read', 'write'] as const

/** What the app asks people for, by area. */
export function ScopeMatrix({ control }: { control: Control<AppValues> }) {
  const { field } = useController({ control, name: 'scopes' })
  const toggle = (scope: OAuthScope) =>
    field.onChange(
      field.value.includes(scope)
        ? field.value.filter((one) => one !== scope)
        : [...field.value, scope],
    )
  return (
    <fieldset className="field">
      <legend className="label">Scopes</legend>
      <table className="scopes" aria-label="Scopes">
        <thead className="sr">
          <tr>
            <th>Area</th>
            <th>Read</th>
            <th>Write</th>
          </tr>
        </thead>
        <tbody>
          {oauthScopeAreas.map((area) => (
            <tr key={area}>
              <td>
                {areaWords[area].title}
                <span className="choice-help">{areaWords[area].about}</span>
              </td>
              {kinds.map((kind) => {
                const scope: OAuthScope = `${area}:${kind}`
                return (
                  <td key={kind}>
                    <Checkbox
                      label={kind === 'read' ? 'Read' : 'Write'}
                      aria-label={`${kind === 'read' ? 'Read' : 'Write'} ${areaWords[area].title}`}
                      checked={field.value.includes(scope)}
                      onChange={() => toggle(scope)}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="help">
        The app can do no more than this, and never more than the person who authorizes it.
      </p>
    </fieldset>
  )
}
