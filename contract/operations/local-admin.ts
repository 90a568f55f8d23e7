/**
 * Who acts at the local socket of a platform, unless told otherwise. Nobody can sign in as them: the auth service, whose
 * ids are random, does not know them.
 */
export const localAdministrator = {
  userId: '00000000-0000-4000-8000-000000000001',
  email: 'local-administrator@localhost',
  username: 'local-administrator',
  firstName: 'Local',
  lastName: 'administrator',
} as const

/** At the local socket: the address of the person as whom the request acts. */
export const actAsHeader = 'x-plinth-act-as'
