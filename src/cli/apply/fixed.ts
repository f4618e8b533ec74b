/**
 * Tokens of a request that belong to none of the messages below: add those of the declared tools, and of the system
 * prompt if the messages lack it.
 */
const FIXED_TOKENS = 3;
