-- A store of the first schema, as it was written; never changed, so that old stores keep opening.
BEGIN TRANSACTION;
CREATE TABLE contents (address TEXT PRIMARY KEY, body TEXT NOT NULL);
INSERT INTO "contents" VALUES('2c8fa21d5d8364cb9a6d4c942f503067','{"prompt":"Coin 1?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('381efd949337dbe93b98ac65209804b3','{"prompt":"Coin 0?","space":{"kind":"probability"}}');
CREATE TABLE events (
        session BIGINT NOT NULL REFERENCES sessions (number), number BIGINT NOT NULL, kind TEXT NOT NULL,
        role TEXT NOT NULL, key TEXT NOT NULL, tick BIGINT NOT NULL, value TEXT, reward DOUBLE PRECISION,
        until BIGINT, nonce TEXT, notes TEXT, content TEXT REFERENCES contents (address), time DOUBLE PRECISION,
        CONSTRAINT events_number PRIMARY KEY (session, number)) WITHOUT ROWID;
INSERT INTO "events" VALUES(1,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'381efd949337dbe93b98ac65209804b3',10.0);
INSERT INTO "events" VALUES(1,2,'answer','subject','coin0',0,'0.25',NULL,NULL,'n-0',NULL,NULL,10.5);
INSERT INTO "events" VALUES(1,3,'ask','subject','coin1',1,'"probability"',NULL,NULL,NULL,NULL,'2c8fa21d5d8364cb9a6d4c942f503067',11.0);
INSERT INTO "events" VALUES(1,4,'answer','subject','coin1',1,'0.75',NULL,NULL,'n-1',NULL,NULL,11.5);
INSERT INTO "events" VALUES(1,5,'end','','',0,'{"status":"finished","outcome":{"prompt":"","reward":null,"truncated":false},"last_words":""}',NULL,NULL,NULL,NULL,NULL,13.0);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('application','mensura');
INSERT INTO "meta" VALUES('schema','1');
CREATE TABLE results (
        number INTEGER PRIMARY KEY AUTOINCREMENT, session BIGINT NOT NULL REFERENCES sessions (number), scoring TEXT NOT NULL,
        instance_hash TEXT NOT NULL, environment_hash TEXT NOT NULL, scores TEXT NOT NULL, details TEXT NOT NULL,
        time DOUBLE PRECISION NOT NULL);
INSERT INTO "results" VALUES(1,1,'1','0123456789abcdef','fedcba9876543210','{"mean":0.0625}','{}',1.79474075117942261699e+09);
CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, test TEXT NOT NULL, parameters TEXT NOT NULL, "cast" TEXT NOT NULL,
        condition TEXT NOT NULL, instance_hash TEXT NOT NULL, environment_hash TEXT NOT NULL, seed TEXT,
        seed_public BOOLEAN NOT NULL, trace TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, details TEXT NOT NULL);
INSERT INTO "runs" VALUES(1,'coin-1','coin-v1','{"flips":2}','{"subject":"chance"}','','0123456789abcdef','fedcba9876543210','170141183460469231731687303715884118073',0,'full',1000.5,'{}');
CREATE TABLE sessions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run BIGINT NOT NULL REFERENCES runs (number),
        course BIGINT NOT NULL, phase BIGINT NOT NULL, session BIGINT NOT NULL, "cast" TEXT NOT NULL,
        status TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, ended DOUBLE PRECISION, last_words TEXT NOT NULL);
INSERT INTO "sessions" VALUES(1,'coin-1/0.0.0',1,0,0,0,'{"subject":"chance"}','finished',1001.0,13.0,'');
CREATE TABLE truths (
        session BIGINT NOT NULL REFERENCES sessions (number), key TEXT NOT NULL, version BIGINT NOT NULL,
        value TEXT NOT NULL, source TEXT NOT NULL, time DOUBLE PRECISION,
        PRIMARY KEY (session, key, version)) WITHOUT ROWID;
INSERT INTO "truths" VALUES(1,'coin0',1,'1','',NULL);
INSERT INTO "truths" VALUES(1,'coin1',1,'0','',NULL);
CREATE INDEX sessions_of_run ON sessions (run, status);
CREATE UNIQUE INDEX events_nonce ON events (session, nonce) WHERE nonce IS NOT NULL;
CREATE INDEX events_save ON events (session, number) WHERE kind = 'save';
CREATE INDEX results_of_session ON results (session, scoring);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',1);
INSERT INTO "sqlite_sequence" VALUES('sessions',1);
INSERT INTO "sqlite_sequence" VALUES('results',1);
COMMIT;
