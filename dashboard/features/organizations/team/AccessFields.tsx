import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { type Access, withRole } from './access.ts'
import { ProjectChoice } from './ProjectChoice.tsx'
import type { RoleChoice } from './use-role-choice.ts'

type Props = {
  slug: string
  choice: RoleChoice
  access: Access
  onAccess: (access: Access) => void
  /** Each project can have another role. */
  mixed: boolean
}

/** Where somebody may work, and as what. */
export function AccessFields({ slug, choice, access, onAccess, mixed }: Props) {
  const { everywhere, role } = access
  return (
    <>
      <RadioGroup label="Access to">
        <Radio
          name="where"
          label="All projects"
          help="Including projects created later, and the organization itself."
          checked={everywhere}
          onChange={() => onAccess({ ...access, everywhere: true })}
        />
        <Radio
          name="where"
          label="Single projects"
          help={choice.noProjects ?? 'Other projects stay hidden.'}
          disabled={choice.noProjects !== undefined}
          checked={!everywhere}
          onChange={() => onAccess({ ...access, everywhere: false })}
        />
      </RadioGroup>
      {(everywhere || !mixed) && (
        <SelectField
          label="Role"
          help={choice.help(role)}
          error={choice.giving(role)}
          options={choice.options}
          value={role}
          onChange={(next) => onAccess(withRole(access, next))}
        />
      )}
      {!everywhere && (
        <ProjectChoice
          slug={slug}
          access={access}
          onAccess={onAccess}
          options={mixed ? choice.options : undefined}
        />
      )}
    </>
  )
}
