/** Every error the platform API can answer with. Clients match on the code or the status, never on the words. */
export const errors = {
  invalid_input: { status: 400, message: 'The request is not valid' },
  bad_json: { status: 400, message: 'The request body is not valid JSON' },
  missing_connection: {
    status: 400,
    // Word for word from the requirements' error catalogue.
    message: 'API Error: happened while trying to acquire connection to the database',
  },
  query_failed: { status: 400, message: 'The database refused the query' },
  weak_password: { status: 400, message: 'You need a stronger password.' },
  not_signed_in: { status: 401, message: 'Sign in to do this' },
  not_allowed: { status: 403, message: 'You do not have permission to do this' },
  bad_origin: { status: 403, message: 'Requests from this origin are not accepted' },
  plan_limit: { status: 403, message: 'The plan of this organization does not include this' },
  not_found: { status: 404, message: 'There is nothing at this address' },
  user_profile_not_found: { status: 404, message: "User's profile not found" },
  organization_not_found: { status: 404, message: 'This organization does not exist' },
  project_not_found: { status: 404, message: 'This project does not exist' },
  snippet_not_found: { status: 404, message: 'This snippet does not exist' },
  method_not_allowed: { status: 405, message: 'This method is not supported here' },
  query_timeout: { status: 408, message: 'The query took too long and was stopped' },
  profile_exists: { status: 409, message: 'Profile already exists' },
  name_taken: { status: 409, message: 'This name is already in use' },
  project_busy: { status: 409, message: 'The project is changing state, try again shortly' },
  organization_not_empty: {
    status: 409,
    message: 'Delete the projects of this organization first',
  },
  conflict: { status: 409, message: 'Someone else changed this in the meantime' },
  body_too_large: { status: 413, message: 'The request body is too large' },
  unsupported_media: { status: 415, message: 'Send the body as application/json' },
  rate_limited: { status: 429, message: 'Too many requests, slow down' },
  internal: { status: 500, message: 'Something went wrong on our side' },
  project_unreachable: { status: 503, message: 'The database of this project does not answer' },
  service_unavailable: { status: 503, message: 'The platform is not ready, try again shortly' },
  upstream_timeout: { status: 504, message: 'The database did not answer in time' },
} as const

export type ErrorCode = keyof typeof errors
export type ErrorBody = { code: ErrorCode; message: string; requestId: string }
