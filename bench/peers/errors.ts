/** The request is invalid. */
export class BadRequestError extends Error {
  readonly statusCode = 400;
}

/** The resource, or one that it refers to, does not exist. */
export class MissingError extends Error {
  readonly statusCode = 404;
}

/** The request has no valid token. */
export class UnauthorizedError extends Error {
  readonly statusCode = 401;
}
