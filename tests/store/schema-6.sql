-- A store of schema 6, as 0.1.0 wrote it: two runs of coin, one of them interrupted, and one that gave invalid answers.
BEGIN TRANSACTION;
CREATE TABLE accounts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, role TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL, disabled BOOLEAN NOT NULL);
CREATE TABLE artefacts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, panel TEXT NOT NULL, code TEXT NOT NULL, content TEXT NOT NULL, condition TEXT NOT NULL,
        source TEXT NOT NULL);
CREATE TABLE assignments (
        number INTEGER PRIMARY KEY AUTOINCREMENT, panel TEXT NOT NULL, rater TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL,
        session TEXT NOT NULL, work TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
CREATE TABLE audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT, time DOUBLE PRECISION NOT NULL, who TEXT NOT NULL, did TEXT NOT NULL, what TEXT NOT NULL,
        details TEXT NOT NULL);
CREATE TABLE contents (address TEXT PRIMARY KEY, body TEXT NOT NULL);
INSERT INTO "contents" VALUES('6645241ac9c6bc9e0aabf3f776335ba2','{"prompt":"This coin falls heads with chance 0.84. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('95d72860c81166063fa9ec3791fa7ad4','{"prompt":"This coin falls heads with chance 0.26. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('ae7e918f2c6af5e66eb1786d779d7395','{"prompt":"This coin falls heads with chance 0.96. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('2ec7b0b9fc29e0fe6a859ab55a8b413f','{"prompt":"This coin falls heads with chance 0.03. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('c936a15370a9bc48108ee4220e492718','{"prompt":"This coin falls heads with chance 0.86. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('4c875ccf83dee4521fcf0d8b7be2d5d3','{"prompt":"This coin falls heads with chance 0.27. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('62a02f36ecaa66ea64359a40d0cd9dab','{"prompt":"This coin falls heads with chance 0.02. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('ca2d527762be209e219938be4fa0aa09','{"prompt":"This coin falls heads with chance 0.88. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('aa30fdd851b5c447ecdbaa7728727ce2','{"prompt":"This coin falls heads with chance 0.68. What is your probability of heads?","space":{"kind":"probability"}}');
INSERT INTO "contents" VALUES('3b48650df18f8842d5138639670018f3','{"prompt":"This coin falls heads with chance 0.51. What is your probability of heads?","space":{"kind":"probability"}}');
CREATE TABLE events (
        session BIGINT NOT NULL REFERENCES sessions (number), number BIGINT NOT NULL, kind TEXT NOT NULL,
        role TEXT NOT NULL, key TEXT NOT NULL, tick BIGINT NOT NULL, value TEXT, reward DOUBLE PRECISION,
        until BIGINT, nonce TEXT, notes TEXT, content TEXT REFERENCES contents (address), time DOUBLE PRECISION,
        CONSTRAINT events_number PRIMARY KEY (session, number)) WITHOUT ROWID;
INSERT INTO "events" VALUES(1,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'6645241ac9c6bc9e0aabf3f776335ba2',1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,2,'answer','subject','coin0',0,'0.3320804289389665',NULL,NULL,NULL,NULL,NULL,1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,3,'ask','subject','coin1',0,'"probability"',NULL,NULL,NULL,NULL,'ae7e918f2c6af5e66eb1786d779d7395',1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,4,'answer','subject','coin1',0,'0.019154398720176657',NULL,NULL,NULL,NULL,NULL,1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,5,'ask','subject','coin2',0,'"probability"',NULL,NULL,NULL,NULL,'95d72860c81166063fa9ec3791fa7ad4',1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,6,'answer','subject','coin2',0,'0.1794632319987386',NULL,NULL,NULL,NULL,NULL,1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,7,'digest','','',0,'"abdc13d82a4184f976661d430e0f54b3"',NULL,NULL,NULL,NULL,NULL,1.79480264761323809628e+09);
INSERT INTO "events" VALUES(1,8,'end','','',0,'{"status":"finished","outcome":{"prompt":"","reward":null,"truncated":false},"last_words":""}',NULL,NULL,NULL,NULL,NULL,1.79480264761323809628e+09);
INSERT INTO "events" VALUES(2,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'95d72860c81166063fa9ec3791fa7ad4',1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,2,'answer','subject','coin0',0,'0.43304553188461836',NULL,NULL,NULL,NULL,NULL,1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,3,'ask','subject','coin1',0,'"probability"',NULL,NULL,NULL,NULL,'2ec7b0b9fc29e0fe6a859ab55a8b413f',1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,4,'answer','subject','coin1',0,'0.9634142523857364',NULL,NULL,NULL,NULL,NULL,1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,5,'ask','subject','coin2',0,'"probability"',NULL,NULL,NULL,NULL,'c936a15370a9bc48108ee4220e492718',1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,6,'answer','subject','coin2',0,'0.6797471954111339',NULL,NULL,NULL,NULL,NULL,1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,7,'digest','','',0,'"b641b2a11452cd6e0c48b48d930c5452"',NULL,NULL,NULL,NULL,NULL,1.79480264763178706168e+09);
INSERT INTO "events" VALUES(2,8,'end','','',0,'{"status":"finished","outcome":{"prompt":"","reward":null,"truncated":false},"last_words":""}',NULL,NULL,NULL,NULL,NULL,1.79480264763178706168e+09);
INSERT INTO "events" VALUES(3,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'4c875ccf83dee4521fcf0d8b7be2d5d3',1.79480264782095360752e+09);
INSERT INTO "events" VALUES(3,2,'answer','subject','coin0',0,'0.5',NULL,NULL,NULL,NULL,NULL,1.79480264782135629656e+09);
INSERT INTO "events" VALUES(3,3,'ask','subject','coin1',0,'"probability"',NULL,NULL,NULL,NULL,'ae7e918f2c6af5e66eb1786d779d7395',1.79480264782135629656e+09);
INSERT INTO "events" VALUES(3,4,'answer','subject','coin1',0,'0.5',NULL,NULL,NULL,NULL,NULL,1.79480264782172703745e+09);
INSERT INTO "events" VALUES(3,5,'ask','subject','coin2',0,'"probability"',NULL,NULL,NULL,NULL,'62a02f36ecaa66ea64359a40d0cd9dab',1.79480264782172703745e+09);
INSERT INTO "events" VALUES(3,6,'answer','subject','coin2',0,'0.5',NULL,NULL,NULL,NULL,NULL,1.79480264782203125951e+09);
INSERT INTO "events" VALUES(3,7,'digest','','',0,'"6e76941b6f3c8ac2b326054d3f0ad166"',NULL,NULL,NULL,NULL,NULL,1.79480264782203125951e+09);
INSERT INTO "events" VALUES(3,8,'end','','',0,'{"status":"finished","outcome":{"prompt":"","reward":null,"truncated":false},"last_words":""}',NULL,NULL,NULL,NULL,NULL,1.79480264782203125951e+09);
INSERT INTO "events" VALUES(4,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'ca2d527762be209e219938be4fa0aa09',1.7948026478255665302e+09);
INSERT INTO "events" VALUES(4,2,'answer','subject','coin0',0,'0.5',NULL,NULL,NULL,NULL,NULL,1.79480264782590079311e+09);
INSERT INTO "events" VALUES(4,3,'ask','subject','coin1',0,'"probability"',NULL,NULL,NULL,NULL,'aa30fdd851b5c447ecdbaa7728727ce2',1.79480264782590079311e+09);
INSERT INTO "events" VALUES(5,1,'ask','subject','coin0',0,'"probability"',NULL,NULL,NULL,NULL,'3b48650df18f8842d5138639670018f3',1.79480264783020496371e+09);
INSERT INTO "events" VALUES(5,2,'invalid','subject','coin0',0,'7.0',NULL,NULL,NULL,'{"wrong":"A probability lies between 0 and 1; got 7.0."}',NULL,1.79480264783051109318e+09);
INSERT INTO "events" VALUES(5,3,'invalid','subject','coin0',0,'7.0',NULL,NULL,NULL,'{"wrong":"A probability lies between 0 and 1; got 7.0."}',NULL,1.79480264783069133754e+09);
INSERT INTO "events" VALUES(5,4,'invalid','subject','coin0',0,'7.0',NULL,NULL,NULL,'{"wrong":"A probability lies between 0 and 1; got 7.0."}',NULL,1.79480264783089375497e+09);
INSERT INTO "events" VALUES(5,5,'digest','','',0,'"567d83f494fd479a7199b485f418fd6e"',NULL,NULL,NULL,NULL,NULL,1.79480264783089375497e+09);
INSERT INTO "events" VALUES(5,6,'end','','',0,'{"status":"invalid","outcome":{"prompt":"","reward":null,"truncated":true},"last_words":"3 invalid answers in a row from subject."}',NULL,NULL,NULL,NULL,NULL,1.79480264783089375497e+09);
CREATE TABLE exclusions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, excluded BOOLEAN NOT NULL, reason TEXT NOT NULL,
        planned BOOLEAN NOT NULL, who TEXT NOT NULL, time DOUBLE PRECISION NOT NULL);
CREATE TABLE identities (
        invitation BIGINT PRIMARY KEY REFERENCES invitations (number), name TEXT NOT NULL, contact TEXT NOT NULL,
        notes TEXT NOT NULL);
CREATE TABLE invitations (
        number INTEGER PRIMARY KEY AUTOINCREMENT, token_hash TEXT NOT NULL UNIQUE, label TEXT NOT NULL, steps TEXT NOT NULL,
        step BIGINT NOT NULL, status TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, created_by TEXT NOT NULL,
        expires DOUBLE PRECISION, entered DOUBLE PRECISION, consented DOUBLE PRECISION, finished DOUBLE PRECISION,
        details TEXT NOT NULL);
CREATE TABLE keys (
        number INTEGER PRIMARY KEY AUTOINCREMENT, secret_hash TEXT NOT NULL UNIQUE, account BIGINT NOT NULL REFERENCES accounts (number),
        kind TEXT NOT NULL, label TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,
        expires DOUBLE PRECISION NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "meta" VALUES('application','mensura');
INSERT INTO "meta" VALUES('schema','6');
CREATE TABLE panels (
        number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, rubric TEXT NOT NULL, details TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL, closed DOUBLE PRECISION);
CREATE TABLE ratings (
        number INTEGER PRIMARY KEY AUTOINCREMENT, artefact BIGINT NOT NULL REFERENCES artefacts (number), rater TEXT NOT NULL,
        item TEXT NOT NULL, value DOUBLE PRECISION, comment TEXT NOT NULL, kind TEXT NOT NULL,
        time DOUBLE PRECISION NOT NULL);
CREATE TABLE results (
        number INTEGER PRIMARY KEY AUTOINCREMENT, session BIGINT NOT NULL REFERENCES sessions (number), scoring TEXT NOT NULL,
        instance_hash TEXT NOT NULL, environment_hash TEXT NOT NULL, scores TEXT NOT NULL, details TEXT NOT NULL,
        time DOUBLE PRECISION NOT NULL);
INSERT INTO "results" VALUES(1,1,'natural-1','17c7d0ff082f82c7','51b0bf64c58ba574','{"logarithmic_score":{"values":[0.2895596652622354,-3.2620757109905765,0.4953506228056597],"keys":["coin0","coin1","coin2"],"proportion":false},"quadratic_score":{"values":[0.13972258871571203,-0.7120580935499782,0.21779294836056695],"keys":["coin0","coin1","coin2"],"proportion":false}}','{}',1.79480264762893748286e+09);
INSERT INTO "results" VALUES(2,2,'natural-1','17c7d0ff082f82c7','51b0bf64c58ba574','{"logarithmic_score":{"values":[0.12567089893361488,-2.614949343300769,0.30711285916960596],"keys":["coin0","coin1","coin2"],"proportion":false},"quadratic_score":{"values":[0.062471567314767995,-0.6781670216999675,0.14743814115296555],"keys":["coin0","coin1","coin2"],"proportion":false}}','{}',1.79480264763272547717e+09);
INSERT INTO "results" VALUES(3,3,'natural-1','17c7d0ff082f82c7','51b0bf64c58ba574','{"logarithmic_score":{"values":[0.0,0.0,0.0],"keys":["coin0","coin1","coin2"],"proportion":false},"quadratic_score":{"values":[0.0,0.0,0.0],"keys":["coin0","coin1","coin2"],"proportion":false}}','{}',1.79480264782317399979e+09);
CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, test TEXT NOT NULL, parameters TEXT NOT NULL, "cast" TEXT NOT NULL,
        condition TEXT NOT NULL, instance_hash TEXT NOT NULL, environment_hash TEXT NOT NULL, seed TEXT,
        seed_public BOOLEAN NOT NULL, trace TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, details TEXT NOT NULL);
INSERT INTO "runs" VALUES(1,'coin-13816b56','coin-v1','{"flips":3}','{"subject":"chance"}','','17c7d0ff082f82c7','51b0bf64c58ba574','1',1,'full',1.79480264760376453394e+09,'{"reference": "coin", "folder": ".", "subjects": {"subject": {"name": "chance", "options": {}, "folder": "."}}, "limits": {"answer_seconds": 60.0, "session_seconds": null, "turns": 10000000, "invalid_in_a_row": 3}, "batch": true, "scoring": "natural-1", "sessions": 2}');
INSERT INTO "runs" VALUES(2,'coin-29441c23','coin-v1','{"flips":3}','{"subject":"stopping"}','','17c7d0ff082f82c7','51b0bf64c58ba574','2',1,'full',1.79480264781637120245e+09,'{"reference": "coin", "folder": ".", "subjects": {"subject": {"name": "constant:0.5", "options": {}, "folder": "."}}, "limits": {"answer_seconds": 60.0, "session_seconds": null, "turns": 10000000, "invalid_in_a_row": 3}, "batch": true, "scoring": "natural-1", "sessions": 2}');
INSERT INTO "runs" VALUES(3,'coin-ccd881df','coin-v1','{"flips":3}','{"subject":"<lambda>"}','','17c7d0ff082f82c7','51b0bf64c58ba574','3',1,'full',1.79480264782641315461e+09,'{"reference": "coin", "folder": ".", "subjects": {"subject": {"name": "constant:0.5", "options": {}, "folder": "."}}, "limits": {"answer_seconds": 60.0, "session_seconds": null, "turns": 10000000, "invalid_in_a_row": 3}, "batch": true, "scoring": "natural-1", "sessions": 1}');
CREATE TABLE sessions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run BIGINT NOT NULL REFERENCES runs (number),
        course BIGINT NOT NULL, phase BIGINT NOT NULL, session BIGINT NOT NULL, "cast" TEXT NOT NULL,
        status TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, ended DOUBLE PRECISION, last_words TEXT NOT NULL);
INSERT INTO "sessions" VALUES(1,'coin-13816b56/0.0.0',1,0,0,0,'{"subject":"chance"}','finished',1.79480264760807371139e+09,1.79480264761323809628e+09,'');
INSERT INTO "sessions" VALUES(2,'coin-13816b56/0.0.1',1,0,0,1,'{"subject":"chance"}','finished',1.79480264760807371139e+09,1.79480264763178706168e+09,'');
INSERT INTO "sessions" VALUES(3,'coin-29441c23/0.0.0',2,0,0,0,'{"subject":"stopping"}','finished',1.7948026478184390068e+09,1.79480264782203125951e+09,'');
INSERT INTO "sessions" VALUES(4,'coin-29441c23/0.0.1',2,0,0,1,'{"subject":"stopping"}','open',1.7948026478184390068e+09,NULL,'');
INSERT INTO "sessions" VALUES(5,'coin-ccd881df/0.0.0',3,0,0,0,'{"subject":"<lambda>"}','invalid',1.79480264782766103749e+09,1.79480264783089375497e+09,'3 invalid answers in a row from subject.');
CREATE TABLE signs (name TEXT PRIMARY KEY, holder TEXT NOT NULL, seen DOUBLE PRECISION NOT NULL);
CREATE TABLE truths (
        session BIGINT NOT NULL REFERENCES sessions (number), key TEXT NOT NULL, version BIGINT NOT NULL,
        value TEXT NOT NULL, source TEXT NOT NULL, time DOUBLE PRECISION,
        PRIMARY KEY (session, key, version)) WITHOUT ROWID;
INSERT INTO "truths" VALUES(1,'coin0',1,'0','',NULL);
INSERT INTO "truths" VALUES(1,'coin1',1,'1','',NULL);
INSERT INTO "truths" VALUES(1,'coin2',1,'0','',NULL);
INSERT INTO "truths" VALUES(2,'coin0',1,'0','',NULL);
INSERT INTO "truths" VALUES(2,'coin1',1,'0','',NULL);
INSERT INTO "truths" VALUES(2,'coin2',1,'1','',NULL);
INSERT INTO "truths" VALUES(3,'coin0',1,'0','',NULL);
INSERT INTO "truths" VALUES(3,'coin1',1,'1','',NULL);
INSERT INTO "truths" VALUES(3,'coin2',1,'0','',NULL);
INSERT INTO "truths" VALUES(4,'coin0',1,'1','',NULL);
INSERT INTO "truths" VALUES(4,'coin1',1,'1','',NULL);
INSERT INTO "truths" VALUES(5,'coin0',1,'0','',NULL);
CREATE INDEX sessions_of_run ON sessions (run, status);
CREATE UNIQUE INDEX events_nonce ON events (session, nonce) WHERE nonce IS NOT NULL;
CREATE INDEX events_save ON events (session, number) WHERE kind = 'save';
CREATE INDEX results_of_session ON results (session, scoring);
CREATE INDEX exclusions_of_session ON exclusions (session);
CREATE UNIQUE INDEX artefacts_code ON artefacts (panel, code);
CREATE INDEX ratings_of_artefact ON ratings (artefact, rater);
CREATE INDEX assignments_of_panel ON assignments (panel);
CREATE UNIQUE INDEX ratings_once ON ratings (artefact, rater, item, kind);
CREATE INDEX audit_of_what ON audit (what);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',3);
INSERT INTO "sqlite_sequence" VALUES('sessions',5);
INSERT INTO "sqlite_sequence" VALUES('results',3);
COMMIT;
